import type { RetentionEvent } from '@assurance/contracts/audit/events';
import { orderBy } from '@assurance/contracts/events/aggregate';
import { streams, SYSTEM } from '@assurance/contracts/events/streams';
import { environment } from '@assurance/environments/domain/environment';
import type { Streams } from '@assurance/event-sourcing/command/streams';
import { commitAt, historyOf } from '@assurance/event-sourcing/sealing/read';
import { droppedBy } from '@assurance/evidence/domain/dropped';
import { retention } from '@assurance/evidence/domain/retention';
import type { Retention } from '@assurance/evidence/domain/retention-state';
import { type AttestationDocument, attestations } from '@assurance/flows/domain/attestation';
import type { Engines } from '@assurance/storage-ports';
import { decideDrop } from '../domain/drop-data';
import { dropStates } from './drop-states';
import { progress, READ_GRACE_MS, removalOf, type RemovalProgress, RUN_ID, runs } from './place';
import { hasParkedStreams } from './sweep/parked';
import { PAUSE_MIN_MS } from './sweep/sweep-round';

/** How many attestations or environments one step handles. */
const STEP = 50;
const PAYLOAD = 'AttestationPayloadKept';
/** A time that has already passed: there is more to do now. */
const AT_ONCE = 0;

/**
 * Applies the retention of each organization that has one. It commits which data is dropped, and removes payloads and full states an hour later. The
 * sweep of blobs removes attachments. It works in short steps and stores its progress, so another process can do the next step; a repeated step
 * changes nothing.
 */
export class DropEvidence {
  constructor(
    private readonly engines: Pick<Engines, 'events' | 'documents'>,
    private readonly streams: Streams,
    /** The consumer group that repairs documents after crashes. While it has parked streams, attestations may be unknown. */
    private readonly group: string,
  ) {}

  /** Begins a run unless one is running. */
  async begin(): Promise<void> {
    await this.documents(runs).merge([RUN_ID], (run) =>
      run?.done === false ? undefined : { after: null, done: false },
    );
  }

  /** The pause until the next run has something to do (milliseconds). */
  async timeUntilDue(): Promise<number> {
    const run = await this.documents(runs).get(RUN_ID);
    const dueTime = run?.done === true ? run.due : undefined;
    return dueTime === undefined ? PAUSE_MIN_MS : Math.min(dueTime - this.streams.sources.now(), PAUSE_MIN_MS);
  }

  /** Does the next step of the run. Returns false if there is none, or if it must wait. */
  async step(): Promise<boolean> {
    const run = await this.documents(runs).get(RUN_ID);
    if (run === null || run.done) return false;
    const { documents, next } = await this.documents(retention.states).scan(run.after, 1);
    const org = documents[0]?.doc.org;
    let dueTime = this.streams.sources.now() + PAUSE_MIN_MS;
    if (org !== undefined) {
      if (await hasParkedStreams(this.engines.documents, this.group)) return false;
      dueTime = (await this.stepOf(org)) ?? dueTime;
      if (dueTime === AT_ONCE) return true;
    }
    await this.documents(runs).merge([RUN_ID], (now) =>
      now === null || now.done || now.after !== run.after
        ? undefined
        : { after: next, done: next === null, due: Math.min(now.due ?? dueTime, dueTime) },
    );
    return next !== null;
  }

  /** @returns when there is more to do for the organization (integer milliseconds); null if nothing is left */
  private async stepOf(org: string): Promise<number | null> {
    const stream = streams.retention(org);
    const { state } = await this.streams.load(retention, stream);
    if (state === null) return null;
    const { seq, removal } = (await this.documents(progress).get(org)) ?? { seq: 0, removal: null };
    if (removal !== null) {
      const next = await this.remove(state, removal);
      await this.documents(progress).merge([org], (now) => {
        const isSame = JSON.stringify(now?.removal) === JSON.stringify(removal);
        if (!isSame) return undefined;
        return next === null ? { seq: removal.upTo, removal: null } : { seq, removal: next };
      });
      return AT_ONCE;
    }
    const last = Math.max(...Object.values(state.dropped).flatMap((rules) => rules.map((rule) => rule.seq)), 0);
    if (last <= seq) return (await this.decide(org)) ? AT_ONCE : null;
    const events: RetentionEvent[] = [];
    let droppedAt = 0;
    for await (const { commit, event } of historyOf<RetentionEvent>(this.engines.events, stream, seq + 1, last)) {
      events.push(event);
      droppedAt = commit.at;
    }
    if (droppedAt + READ_GRACE_MS > this.streams.sources.now()) return droppedAt + READ_GRACE_MS;
    await this.documents(progress).merge([org], (now) =>
      (now?.seq ?? 0) === seq && (now?.removal ?? null) === null
        ? { seq, removal: removalOf(last, events) }
        : undefined,
    );
    return AT_ONCE;
  }

  /** Commits which data is dropped now. Returns false if none is. */
  private async decide(org: string): Promise<boolean> {
    const { sources } = this.streams;
    const by = { org, actor: SYSTEM, correlation: sources.id() };
    const outcome = await this.streams.run(retention, streams.retention(org), by, ({ state }, at) =>
      decideDrop(state, { now: at }),
    );
    return outcome.kind === 'committed';
  }

  /** Does one step of a removal. @returns the remaining work; null if it is done */
  private async remove(state: Retention, removal: RemovalProgress): Promise<RemovalProgress | null> {
    const { payloads, snapshots, attested } = removal;
    if (payloads !== null && attested !== null) {
      const where = { org: state.org, at: { gte: payloads.from, lte: attested.at } };
      const results = await this.documents(attestations).find({
        where,
        order: orderBy('-at', '-id'),
        skip: attested.skip,
        limit: STEP,
      });
      for (const { doc } of results) if (droppedBy(state, 'payloads', doc) !== null) await this.dropPayload(doc);
      const at = results.at(-1)?.doc.at;
      if (at === undefined || results.length < STEP) return { ...removal, attested: null };
      // Several attestations may have the time of the last one. So the next step begins with that time, and skips those that were seen.
      const sameTimeCount = results.filter(({ doc }) => doc.at === at).length;
      return { ...removal, attested: { at, skip: at === attested.at ? attested.skip + sameTimeCount : sameTimeCount } };
    }
    if (snapshots === null) return null;
    const results = await this.documents(environment.states).find({
      where: { org: state.org, archived: { in: [false, true] }, name: { gte: removal.environments } },
      order: orderBy('name'),
      limit: STEP,
    });
    for (const { doc } of results) await dropStates(this.engines.events, streams.environment(doc.id), snapshots.before);
    const last = results.at(-1)?.doc.name;
    return last === undefined || results.length < STEP ? null : { ...removal, environments: last };
  }

  private async dropPayload({ stream, seq }: AttestationDocument): Promise<void> {
    const { events } = await commitAt(this.engines.events, stream, seq);
    const digests = events.flatMap(({ type, digest }) => (type === PAYLOAD ? [digest] : []));
    await this.engines.events.dropData(stream, seq, digests);
  }

  private documents: Engines['documents']['collection'] = (definition) => this.engines.documents.collection(definition);
}
