import type { OrganizationCreated } from '@assurance/contracts/access/events';
import type { SnapshotRecorded } from '@assurance/contracts/environments/events';
import type { DomainEvent } from '@assurance/contracts/events/event';
import { keyOf, kindOf, NO_ORGANIZATION, streams } from '@assurance/contracts/events/streams';
import type { TrailBegun } from '@assurance/contracts/flows/events';
import type { PublicEvent } from '@assurance/contracts/notifications/events';
import type { PolicyCreated } from '@assurance/contracts/policies/events';
import { commitAt, eventsOf, metaOf } from '@assurance/event-sourcing/sealing/read';
import { forgetOldest } from '@assurance/kernel';
import type { Commit, EventStore } from '@assurance/storage-ports';
import { PUBLIC_TYPES, publicEventsOf } from '../domain/public-events';

const KINDS = new Set(['environment', 'trail', 'policy']);
/** How many names and how many verdicts are cached. Others are read again. */
const REMEMBERED = 10_000;

/** Makes public events of commits. They depend only on the log, so the same commit always gives the same events. */
export class PublicEventsOfCommits {
  private readonly names = new Map<string, string>();
  /** The verdict on the newest published snapshot, by environment. */
  private readonly verdicts = new Map<string, Pick<SnapshotRecorded['data'], 'snapshot' | 'judged'>>();

  constructor(private readonly events: Pick<EventStore, 'read' | 'readData' | 'bySnapshot'>) {}

  async of(commit: Commit): Promise<PublicEvent[]> {
    if (!KINDS.has(kindOf(commit.stream)) || commit.org === NO_ORGANIZATION) return [];
    const all: PublicEvent[] = [];
    for (const event of await eventsOf(this.events, commit, (type) => PUBLIC_TYPES.has(type))) {
      for (const publicEvent of await this.eventsOf(commit, event)) all.push(publicEvent);
    }
    return all;
  }
  private async eventsOf(commit: Commit, event: DomainEvent): Promise<PublicEvent[]> {
    const { org, stream } = commit;
    return publicEventsOf(commit.id, metaOf(commit), event, {
      organization: await this.nameIn(streams.organization(org)),
      name: await this.nameOf(stream, event),
      compliantBefore: await this.compliantBefore(stream, event),
    });
  }

  private async nameOf(stream: string, { type }: DomainEvent): Promise<string> {
    if (type === 'AttestationReported' || type === 'PolicyRevised') return this.nameIn(stream);
    return '';
  }

  /** The name in the first commit of a stream: the name of an organization or a policy, or the flow's name when a trail began. */
  private async nameIn(stream: string): Promise<string> {
    const cachedName = this.names.get(stream);
    if (cachedName !== undefined) return cachedName;
    const { events } = this;
    const [first] = await eventsOf(events, await commitAt(events, stream, 1));
    const name = nameFrom(first) ?? keyOf(stream);
    this.names.set(stream, name);
    forgetOldest(this.names, REMEMBERED);
    return name;
  }

  private async compliantBefore(stream: string, event: DomainEvent): Promise<boolean | null> {
    if (event.type !== 'SnapshotRecorded') return null;
    const { data } = event as SnapshotRecorded;
    const { snapshot, judged } = data;
    const cachedVerdict = this.verdicts.get(stream);
    const before =
      cachedVerdict?.snapshot === snapshot - 1 ? cachedVerdict : await this.snapshotAt(stream, snapshot - 1);
    this.verdicts.delete(stream);
    this.verdicts.set(stream, { snapshot, judged });
    forgetOldest(this.verdicts, REMEMBERED);
    return before?.judged?.compliant ?? null;
  }

  private async snapshotAt(stream: string, index: number): Promise<SnapshotRecorded['data'] | null> {
    const { events } = this;
    const commit = index === 0 ? null : await events.bySnapshot(stream, index);
    const [recorded] = commit === null ? [] : await eventsOf(events, commit, (type) => type === 'SnapshotRecorded');
    return recorded === undefined ? null : (recorded as SnapshotRecorded).data;
  }
}

function nameFrom(event: DomainEvent | undefined): string | null {
  switch (event?.type) {
    case 'OrganizationCreated':
      return (event as OrganizationCreated).data.name;
    case 'PolicyCreated':
      return (event as PolicyCreated).data.name;
    case 'TrailBegun':
      return (event as TrailBegun).data.flow.name;
    default:
      return null;
  }
}
