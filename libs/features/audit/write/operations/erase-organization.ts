import { setTimeout as sleep } from 'node:timers/promises';
import { decideEraseOrganization, type EraseRefusal } from '@assurance/access/domain/erase-organization';
import { type Organization, organization } from '@assurance/access/domain/organization';
import { Register } from '@assurance/access/write/register';
import { isErasure, type OmittedParts, type OrganizationErased } from '@assurance/contracts/access/events';
import { kindOf, NO_ORGANIZATION, streams } from '@assurance/contracts/events/streams';
import { redactCheckpoints } from '@assurance/event-sourcing/checkpoints/redact';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { ErasedStreams, type RemovedStream, signErasure } from '@assurance/event-sourcing/erasures';
import { skipErased } from '@assurance/event-sourcing/feed/parked-streams';
import { type Operation, OperationRefused, type Outcome, type Progress } from '@assurance/event-sourcing/operation';
import { commitsOf, eventsOf } from '@assurance/event-sourcing/sealing/read';
import { commitHash } from '@assurance/event-sourcing/sealing/seal';
import {
  CHECKPOINTER,
  CLOCK,
  type Clock,
  PORTS,
  type Ports,
  type Signers,
  SIGNERS,
  type SignsCheckpoints,
} from '@assurance/event-sourcing/tokens';
import { isInForce, retention } from '@assurance/evidence/domain/retention';
import { Inject, Injectable } from '@nestjs/common';
import { EraseDocuments } from '../erase-documents';

const ACTOR = 'operator';
const CONFIRM = '--confirm';
const DESPITE_HOLDS = '--despite-holds';
/** The number of commits in a page of a scan, and the number of streams at which a record is written. */
const PAGE = 100;
const STREAMS_MAX = 1_000;
/** Kinds of streams that are removed first, so that no caller gets access any more. */
const ACCESS: ReadonlySet<string> = new Set(['membership', 'administrators', 'service-account', 'invitation']);
/** How long a caller who had access before may still send requests, including the time of a request (milliseconds). */
const LATE_MS = 3_000;
/** How far the clocks of other processes may be ahead (milliseconds). */
const SKEW_MS = 10 * 60_000;

type StreamFilter = (stream: string) => boolean;
type OrganizationRef = Pick<Organization, 'id' | 'name'>;

interface Order {
  readonly place: OrganizationRef;
  readonly despiteHolds: boolean;
  /** The number of legal holds in force at the beginning. */
  readonly holds: number;
}

/** `erase-organization`: removes all data of a shared organization, after a signed record. It may be stopped and run again. */
@Injectable()
export class EraseOrganization implements Operation {
  readonly name = 'erase-organization';
  readonly usage = `<name> ${CONFIRM} <name> [${DESPITE_HOLDS}]`;
  readonly summary = 'removes all that a shared organization stored, for ever, and keeps a signed record of it';

  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(SIGNERS) private readonly signers: Signers,
    @Inject(CHECKPOINTER) private readonly checkpointer: SignsCheckpoints | null,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly streams: Streams,
    private readonly register: Register,
  ) {}

  async run(args: readonly string[], report: (progress: Progress) => void, signal: AbortSignal): Promise<Outcome> {
    const place = await this.organizationOf(args);
    const order: Order = { place, despiteHolds: args.includes(DESPITE_HOLDS), holds: await this.holdsIn(place) };
    const began = await this.record(order, [], null);
    // After this record, nobody can become a member. Only then may consumers skip later events.
    await skipErased(this.ports.documents, place.id, this.clock.now());
    const documents = new EraseDocuments(this.ports, place.id);
    const total = { streams: 0, commits: 0 };
    /** @returns whether it removed streams */
    const erase = async (streamFilter: StreamFilter): Promise<boolean> => {
      const before = total.streams;
      // Documents of all streams are removed first. Removing a stream also removes data that other streams share and that is needed to find their
      // documents.
      for await (const page of this.streamsOf(place, streamFilter, signal)) {
        for (const { stream } of page) {
          signal.throwIfAborted();
          await documents.eraseOfStream(stream);
        }
      }
      for await (const page of this.streamsOf(place, streamFilter, signal)) {
        await this.record(order, page, null);
        for (const { stream, commits } of page) {
          signal.throwIfAborted();
          // This is repeated, because a late request may have written the documents again.
          await documents.eraseOfStream(stream);
          await this.ports.events.removeStream(stream);
          total.streams += 1;
          total.commits += commits;
          report({ done: total.commits, of: null, unit: 'commits' });
        }
      }
      return total.streams > before;
    };
    let more = await erase((stream) => ACCESS.has(kindOf(stream)));
    do {
      // Requests that got access before may still commit. The next scan finds their streams.
      if (more) await sleep(LATE_MS, undefined, { signal });
      more = await erase(() => true);
    } while (more);
    await documents.eraseOthers();
    const blobs = await this.blobs(place.id, signal);
    await this.ports.documents.persist();
    const ended = await this.record(order, [], await this.leaveOut(place.id, signal));
    if (!began && !ended) return { ok: true, summary: `Organization '${place.name}' had been erased already.` };
    const removedText = `${total.streams} streams with ${total.commits} commits and ${blobs} bytes of attachments were removed`;
    const summary = `Organization '${place.name}' was erased: ${removedText}. Views are built again without it now.`;
    return { ok: true, summary, details: { ...total, blobs } };
  }

  private async organizationOf(args: readonly string[]): Promise<OrganizationRef> {
    const [name = '', confirm, again, ...more] = args.filter((word) => word !== DESPITE_HOLDS);
    if (name === '' || confirm !== CONFIRM || again !== name || more.length > 0) {
      throw new OperationRefused(`erase-organization needs a name, and ${CONFIRM} with the same name`);
    }
    return { id: (await this.register.find(NO_ORGANIZATION, 'account', name)) ?? '', name };
  }

  /** How many legal holds are in force. */
  private async holdsIn({ id }: OrganizationRef): Promise<number> {
    const { state } = await this.streams.load(retention, streams.retention(id));
    return state === null ? 0 : Object.values(state.holds).filter((hold) => isInForce(state, hold)).length;
  }

  /**
   * The existing streams of the organization, in pages of about `STREAMS_MAX`. Leaves out the stream with the records, which is the organization's
   * own.
   */
  private async *streamsOf(
    place: OrganizationRef,
    streamFilter: StreamFilter,
    signal: AbortSignal,
  ): AsyncGenerator<RemovedStream[]> {
    const names = new Set<string>();
    for (let after: string | null = null; ;) {
      signal.throwIfAborted();
      const { commits, next } = await this.ports.events.scan(after, PAGE);
      for (const { org, stream } of commits)
        if (belongsTo(place, org, stream) && streamFilter(stream)) names.add(stream);
      if (names.size >= STREAMS_MAX || (next === null && names.size > 0)) {
        const results: RemovedStream[] = [];
        for (const stream of names) results.push(await this.measure(stream));
        names.clear();
        yield results;
      }
      if (next === null) return;
      after = next;
    }
  }

  private async measure(stream: string): Promise<RemovedStream> {
    let removedStream: RemovedStream = { stream, seq: 0, hash: '', commits: 0, events: 0 };
    for await (const commit of commitsOf(this.ports.events, stream)) {
      const [commits, events] = [removedStream.commits + 1, removedStream.events + commit.events.length];
      removedStream = { stream, seq: commit.seq, hash: commitHash(commit), commits, events };
    }
    return removedStream;
  }

  /** @returns whether a new record was written */
  private async record(
    { place: { id, name }, despiteHolds, holds }: Order,
    removedStreams: readonly RemovedStream[],
    leftOut: OmittedParts | null,
  ): Promise<boolean> {
    const what = { organization: id, name, at: this.clock.now(), by: ACTOR, despiteHolds: holds > 0, leftOut };
    const sign = () => signErasure(this.signers[0], what, removedStreams);
    const by = { org: id, actor: ACTOR, correlation: ACTOR };
    const outcome = await this.streams.run(organization, streams.organization(id), by, ({ state }) =>
      decideEraseOrganization(state, { despiteHolds, removed: removedStreams.length, leftOut }, { holds, sign }),
    );
    if (outcome.kind === 'refused') throw new OperationRefused(sentenceOf(outcome.refusal, name));
    return outcome.kind === 'committed';
  }

  /**
   * Removes the streams from checkpoints. It signs a checkpoint first, so that existing checkpoints cover all streams and no later one names them.
   */
  private async leaveOut(org: string, signal: AbortSignal): Promise<OmittedParts> {
    await this.checkpointer?.sign();
    const erasedStreams = new ErasedStreams();
    const ownStream = streams.organization(org);
    for await (const commit of commitsOf(this.ports.events, ownStream)) {
      const events = (await eventsOf(this.ports.events, commit, (type) => isErasure({ type }))) as OrganizationErased[];
      for (const event of events) erasedStreams.take(ownStream, event);
    }
    return redactCheckpoints(this.ports, org, (stream) => erasedStreams.has(stream), signal);
  }

  /** @returns bytes of the removed blobs */
  private async blobs(org: string, signal: AbortSignal): Promise<number> {
    let bytes = 0;
    for (let after: string | null = null; ;) {
      signal.throwIfAborted();
      const piece = { after, limit: PAGE, before: this.clock.now() + SKEW_MS, atOnce: true };
      const swept = await this.ports.blobs.sweep(org, piece, () => Promise.resolve(new Set()));
      bytes += swept.bytes;
      if (swept.next === null) return bytes;
      after = swept.next;
    }
  }
}

/**
 * Whether the erasure removes a stream. The organization's own stream stays. Streams of the bootstrap file's parts that were declared for it are
 * removed.
 */
function belongsTo({ id, name }: OrganizationRef, org: string, stream: string): boolean {
  if (org === id) return stream !== streams.organization(id);
  return ['member', 'service-account'].some((part) => stream.startsWith(streams.declaration(`${part}/${name}/`)));
}

function sentenceOf(refusal: EraseRefusal, name: string): string {
  switch (refusal.kind) {
    case 'no-organization':
      return `There is no organization '${name}'`;
    case 'personal-organization':
      return `'${name}' is the personal organization of a user`;
    case 'holds-in-force': {
      const count = refusal.count === 1 ? 'a legal hold is' : `${refusal.count} legal holds are`;
      return `In '${name}' ${count} in force: release them, or give ${DESPITE_HOLDS} to erase what they protect`;
    }
  }
}
