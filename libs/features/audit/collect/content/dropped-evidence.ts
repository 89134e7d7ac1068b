import type { RetentionEvent } from '@assurance/contracts/audit/events';
import type { EventMeta } from '@assurance/contracts/events/event';
import { keyOf, streams } from '@assurance/contracts/events/streams';
import type { AttestationReported } from '@assurance/contracts/evidence/events';
import { historyOf, metaOf } from '@assurance/event-sourcing/sealing/read';
import { droppedBy } from '@assurance/evidence/domain/dropped';
import { retention } from '@assurance/evidence/domain/retention';
import type { DropInfo, Retention } from '@assurance/evidence/domain/retention-state';
import { findLostAttachment } from '@assurance/evidence/lookups/find-lost-attachment';
import { isPayloadGone } from '@assurance/evidence/lookups/is-payload-gone';
import type { Commit, Engines } from '@assurance/storage-ports';
import type { DroppedFromPackage } from '../../package/manifest';
import type { Scope } from '../scope';
import { type CommitRange, commitRangeTo, type EventFilter, PAYLOAD } from './chain';
import type { Recorded } from './recorded';

type Kind = 'attachments' | 'payloads';
const KINDS: readonly Kind[] = ['attachments', 'payloads'];

/** The parts of a package's attestations that retention dropped, each with the first event that dropped it. */
export class DroppedEvidence {
  private readonly rules = new Map<string, DropInfo>();
  /** Seqs of the commits with dropped payloads. */
  private readonly seqsWithoutPayload = new Set<number>();

  private constructor(
    private readonly stream: string,
    private readonly attestations: readonly Recorded<AttestationReported>[],
    private readonly flow: string,
  ) {}

  /** The commits that prove that data was dropped; null if none was. */
  range: CommitRange | null = null;

  static async read(
    engines: Pick<Engines, 'events' | 'documents' | 'blobs'>,
    { org, flow, stream }: Scope,
    attestations: readonly Recorded<AttestationReported>[],
  ): Promise<DroppedEvidence> {
    const droppedEvidence = new DroppedEvidence(stream, attestations, flow.id);
    let state: Retention | null = null;
    let last: Commit | null = null;
    for await (const { commit, event } of historyOf<RetentionEvent>(engines.events, streams.retention(org.id))) {
      state = retention.evolve(state, event, metaOf(commit));
      if (event.type === 'EvidenceDropped' && droppedEvidence.note(state)) last = commit;
    }
    await droppedEvidence.forgetHeld(engines, state);
    if (last !== null && droppedEvidence.rules.size > 0) droppedEvidence.range = await commitRangeTo(engines, 1, last);
    return droppedEvidence;
  }

  /** The rule that dropped one kind of data of an attestation; null if the data is kept. */
  rule(id: string, what: Kind): DropInfo | null {
    return this.rules.get(`${what} ${id}`) ?? null;
  }

  /** The entries of dropped data in the manifest. */
  get droppedFiles(): DroppedFromPackage[] {
    return this.attestations.flatMap(({ data: { id } }) =>
      KINDS.flatMap((what) => {
        const rule = this.rule(id, what);
        return rule === null ? [] : [{ attestation: id, ...describeRule(rule) }];
      }),
    );
  }

  /** Makes a filter that leaves out payloads that are dropped but not removed yet. */
  excludeDropped(selects: EventFilter): EventFilter {
    return (event, commit) => {
      const isSelected = selects(event, commit);
      return (
        isSelected &&
        !(event.type === PAYLOAD && commit.stream === this.stream && this.seqsWithoutPayload.has(commit.seq))
      );
    };
  }

  /** Selects the events of the retention that drop data, and the events about holds of this flow. */
  readonly proves: EventFilter = ({ type, data }) =>
    type === 'EvidenceDropped' ||
    (type !== 'RetentionSet' && data !== undefined && (JSON.parse(data) as { flow: string }).flow === this.flow);

  /** Forgets the rules of data that is still there, because a hold was placed before it was removed. */
  private async forgetHeld(
    { events, blobs }: Pick<Engines, 'events' | 'blobs'>,
    state: Retention | null,
  ): Promise<void> {
    for (const { data, meta } of this.attestations) {
      const place = this.placeOf(meta);
      const isHeld = (kind: Kind) => this.rule(data.id, kind) !== null && droppedBy(state, kind, place) === null;
      if (isHeld('attachments') && (await findLostAttachment(blobs, meta.org, data.attachments)) === null)
        this.rules.delete(`attachments ${data.id}`);
      if (!isHeld('payloads') || (await isPayloadGone(events, meta))) continue;
      this.rules.delete(`payloads ${data.id}`);
      this.seqsWithoutPayload.delete(meta.seq);
    }
  }

  private placeOf({ at }: EventMeta) {
    return { at, flow: this.flow, trail: keyOf(this.stream).slice(this.flow.length + 1) };
  }

  /** @returns whether a rule was noted that was not noted before */
  private note(state: Retention): boolean {
    const before = this.rules.size;
    for (const { data, meta } of this.attestations) {
      for (const kind of KINDS) {
        if (kind === 'attachments' && data.attachments.length === 0) continue;
        const rule = droppedBy(state, kind, this.placeOf(meta));
        if (rule === null) continue;
        if (kind === 'payloads') this.seqsWithoutPayload.add(meta.seq);
        const key = `${kind} ${data.id}`;
        if (!this.rules.has(key)) this.rules.set(key, rule);
      }
    }
    return this.rules.size > before;
  }
}

/** A rule in the form of a package's files. */
export function describeRule({ what, days, before, seq }: DropInfo): Omit<DroppedFromPackage, 'attestation'> {
  return { what, older_than_days: days, before: new Date(before).toISOString(), event: seq };
}
