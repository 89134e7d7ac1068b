import type { Retained, RetentionEvent } from '@assurance/contracts/audit/events';
import { keyOf, streams } from '@assurance/contracts/events/streams';
import { historyOf, metaOf } from '@assurance/event-sourcing/sealing/read';
import { mayBeGone } from '@assurance/evidence/domain/dropped';
import { retention } from '@assurance/evidence/domain/retention';
import type { DropInfo, Retention } from '@assurance/evidence/domain/retention-state';
import type { Commit, EventStore, StoredEvent } from '@assurance/storage-ports';

/** How many events lost their data, or attachments their content, because of one rule of an organization. */
export interface DroppedCount {
  readonly org: string;
  readonly what: Retained;
  readonly older_than_days: number;
  /** ISO 8601. */
  readonly before: string;
  count: number;
}

/** Distinguishes data that retention dropped from data that is lost, only by the events of the organization's retention. */
export class DroppedData {
  private readonly countsByRule = new Map<string, DroppedCount>();
  private readonly retentions = new Map<string, Retention | null>();

  constructor(private readonly events: EventStore) {}

  get counts(): DroppedCount[] {
    return [...this.countsByRule.values()];
  }

  /** Whether retention dropped the data of an event. If it did, this counts it. */
  async takeData(commit: Commit, { type }: StoredEvent): Promise<boolean> {
    const kind = DATA[type];
    return kind !== undefined && this.take(commit, kind);
  }

  /** Whether retention dropped one kind of data of a commit. If it did, this counts it. */
  async take(commit: Commit, kind: Retained): Promise<boolean> {
    const { org } = commit;
    let rule = ruleFor(this.retentions.get(org) ?? null, commit, kind);
    if (rule === null) {
      // The retention may have dropped more data since its events were read.
      this.retentions.set(org, await this.loadRetention(org));
      rule = ruleFor(this.retentions.get(org) ?? null, commit, kind);
    }
    if (rule === null) return false;
    const { what, days, before } = rule;
    const key = `${org} ${what} ${days}`;
    const count = (this.countsByRule.get(key)?.count ?? 0) + 1;
    this.countsByRule.set(key, { org, what, older_than_days: days, before: new Date(before).toISOString(), count });
    return true;
  }

  private async loadRetention(org: string): Promise<Retention | null> {
    let state: Retention | null = null;
    for await (const { commit, event } of historyOf<RetentionEvent>(this.events, streams.retention(org))) {
      state = retention.evolve(state, event, metaOf(commit));
    }
    return state;
  }
}

/** The types of events that lose their data by retention. */
const DATA: Readonly<Record<string, Retained>> = { SnapshotStateKept: 'snapshots', AttestationPayloadKept: 'payloads' };

function ruleFor(state: Retention | null, { stream, at }: Commit, what: Retained): DropInfo | null {
  if (what === 'snapshots') return mayBeGone(state, what, { at });
  const [flow = '', ...trail] = keyOf(stream).split('/');
  return mayBeGone(state, what, { at, flow, trail: trail.join('/') });
}
