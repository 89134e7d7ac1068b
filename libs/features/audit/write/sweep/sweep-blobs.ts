import { organization } from '@assurance/access/domain/organization';
import { streams } from '@assurance/contracts/events/streams';
import type { AttestationReported } from '@assurance/contracts/evidence/events';
import { commitAt, eventsOf } from '@assurance/event-sourcing/sealing/read';
import { droppedBy } from '@assurance/evidence/domain/dropped';
import { retention } from '@assurance/evidence/domain/retention';
import { type AttestationDocument, attestations } from '@assurance/flows/domain/attestation';
import { type Engines, getAll } from '@assurance/storage-ports';
import { READ_GRACE_MS } from '../place';
import { hasParkedStreams } from './parked';
import { blobMarkId, blobMarks, type SweepPosition, type Round, rounds, ROUND_ID } from './sweep-round';

/** Blobs younger than this stay, because no request takes so long from upload to commit (milliseconds). */
const YOUNG_MS = 3_600_000;
/** How far the clocks of processes may differ (milliseconds). */
const CLOCKS_MS = 60_000;
/** How many attestations or blobs one step handles. */
const STEP = 200;

/**
 * A sweep first marks every blob that an attestation references, then deletes unmarked blobs older than an hour. They come from refused or
 * interrupted requests. Or they were attachments of attestations, and the retention of the organization dropped them at least an hour before the
 * sweep. It works in short steps and stores its progress, so another process can do the next step. Every sweep marks again from the attestations.
 */
export class SweepBlobs {
  constructor(
    private readonly engines: Pick<Engines, 'events' | 'documents' | 'blobs'>,
    private readonly now: () => number,
    /** The consumer group that repairs documents after crashes. While it has parked streams, references may be unknown. */
    private readonly group: string,
  ) {}

  /** Begins a sweep unless one is running. */
  async begin(): Promise<void> {
    await this.documents(rounds).merge([ROUND_ID], (newest) =>
      newest !== null && newest.place.phase !== 'done'
        ? undefined
        : { number: (newest?.number ?? 0) + 1, begunAt: this.now(), place: { phase: 'noting', after: null } },
    );
  }

  /** The time since the newest sweep began (milliseconds). */
  async took(): Promise<number> {
    const round = await this.documents(rounds).get(ROUND_ID);
    return round === null ? 0 : this.now() - round.begunAt;
  }

  /** Does the next step of the running sweep. Returns false if there is none, or if it must wait. */
  async step(): Promise<boolean> {
    const round = await this.documents(rounds).get(ROUND_ID);
    if (round === null || round.place.phase === 'done') return false;
    const place = await this.from(round, round.place);
    if (place === null) return false;
    // Another process may have done this step, and even started the next sweep.
    await this.documents(rounds).merge([ROUND_ID], (newest) =>
      newest !== null && newest.number === round.number && isSame(newest.place, round.place)
        ? { ...newest, place }
        : undefined,
    );
    return place.phase !== 'done';
  }

  /** Does the work of one step. Returns null if it must wait. */
  private async from(round: Round, place: Exclude<SweepPosition, { phase: 'done' }>): Promise<SweepPosition | null> {
    const { blobs } = this.engines;
    switch (place.phase) {
      case 'noting': {
        const { documents, next } = await this.documents(attestations).scan(place.after, STEP);
        const named = documents.map(({ doc }) => doc);
        await this.markNamed(round, named);
        return next === null ? { phase: 'finding', orgs: null } : { phase: 'noting', after: next };
      }
      case 'finding': {
        if (await hasParkedStreams(this.engines.documents, this.group)) return null;
        const { documents, next } = await this.documents(organization.states).scan(place.orgs, 1);
        const org = documents[0]?.doc.id;
        if (org !== undefined) return { phase: 'sweeping', org, after: null, orgs: next };
        return next === null ? { phase: 'broken', after: null } : { phase: 'finding', orgs: next };
      }
      case 'sweeping': {
        const { org, orgs } = place;
        const isNamed = (digests: readonly string[]) => this.namedOf(round, org, digests);
        const { next: after } = await blobs.sweep(org, { after: place.after, ...this.piece(round) }, isNamed);
        if (after !== null) return { ...place, after };
        return orgs === null ? { phase: 'broken', after: null } : { phase: 'finding', orgs };
      }
      case 'broken': {
        const after = await blobs.sweepBroken({ after: place.after, ...this.piece(round) });
        return after === null ? { phase: 'done' } : { phase: 'broken', after };
      }
    }
  }

  private piece({ begunAt }: Round) {
    return { limit: STEP, before: begunAt - YOUNG_MS };
  }

  private async markNamed({ number, begunAt }: Round, some: readonly AttestationDocument[]): Promise<void> {
    const orgs = [...new Set(some.map(({ org }) => streams.retention(org)))];
    const retentions = await getAll(this.documents(retention.states), orgs);
    const attestations = some.filter((attestation) => {
      const rule = droppedBy(retentions.get(streams.retention(attestation.org)) ?? null, 'attachments', attestation);
      return rule === null || begunAt < rule.at + READ_GRACE_MS;
    });
    const ids = new Set((await Promise.all(attestations.map((attestation) => this.namesIn(attestation)))).flat());
    await this.documents(blobMarks).merge([...ids], (mark) => ({ round: Math.max(number, mark?.round ?? 0) }));
  }

  private async namesIn({ org, stream, seq }: AttestationDocument): Promise<string[]> {
    const { events } = this.engines;
    const commit = await commitAt(events, stream, seq);
    const reportedAttestations = (await eventsOf(
      events,
      commit,
      (type) => type === 'AttestationReported',
    )) as AttestationReported[];
    return reportedAttestations.flatMap(({ data }) => data.attachments.map(({ sha256 }) => blobMarkId(org, sha256)));
  }

  /** The digests that stay. All of them stay if a hold was placed since the marks began: the next sweep marks what it protects. */
  private async namedOf(
    { number, begunAt }: Round,
    org: string,
    digests: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const held = await this.documents(retention.states).get(streams.retention(org));
    if (Object.values(held?.holds ?? {}).some(({ at }) => at >= begunAt - CLOCKS_MS)) return new Set(digests);
    const ids = digests.map((sha256) => blobMarkId(org, sha256));
    const marks = await getAll(this.documents(blobMarks), ids);
    return new Set(digests.filter((sha256) => (marks.get(blobMarkId(org, sha256))?.round ?? 0) >= number));
  }

  private documents: Engines['documents']['collection'] = (definition) => this.engines.documents.collection(definition);
}

function isSame(a: SweepPosition, b: SweepPosition): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
