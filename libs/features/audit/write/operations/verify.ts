import { setImmediate } from 'node:timers/promises';
import type { OrganizationErased } from '@assurance/contracts/access/events';
import { decodeEvent, withoutData } from '@assurance/contracts/events/codec';
import type { DomainEvent } from '@assurance/contracts/events/event';
import { kindOf } from '@assurance/contracts/events/streams';
import { CHECKPOINTS } from '@assurance/event-sourcing/checkpoints/checkpoint';
import { type CheckedCheckpoints, verifyCheckpoints } from '@assurance/event-sourcing/checkpoints/verify-checkpoints';
import { type ErasedOrganization, ErasedStreams } from '@assurance/event-sourcing/erasures';
import { type Operation, OperationRefused, type Outcome, type Progress } from '@assurance/event-sourcing/operation';
import { dataFault, type Link, linkFault } from '@assurance/event-sourcing/sealing/chain';
import { BloomFilter } from '@assurance/event-sourcing/sealing/bloom-filter';
import { findCommit, storedText } from '@assurance/event-sourcing/sealing/read';
import { commitHash } from '@assurance/event-sourcing/sealing/seal';
import { PORTS, type Ports, type Signers, SIGNERS } from '@assurance/event-sourcing/tokens';
import { forgetOldest } from '@assurance/kernel';
import type { Commit } from '@assurance/storage-ports';
import { Inject, Injectable } from '@nestjs/common';
import { aggregates } from '../../domain/aggregates';
import { BegunErasures } from './begun-erasures';
import { AttachmentCheck, type AttestationWithAttachments, attestedIn } from './check-attachments';
import { EnvironmentCheck } from './check-environments';
import { type DroppedCount, DroppedData } from './dropped-data';
import { Faults } from './faults';

/** The number of commits in a page. It is small, so that requests run in between. */
const PAGE = 50;
/** The most streams with a cached newest link. For others, the link is read again. */
const LINKS = 100_000;
/** The most ids that the second walk checks again. */
const TWICE_MAX = 200_000;

/** The option that compares only the sizes of attachments and does not read them. */
const SIZES = '--attachments-by-size';
const HASH = /^[0-9a-f]{64}$/;

/** `verify`: walks the hash chain of every stream, with all data, and compares it with the signed checkpoints. It only reads. */
@Injectable()
export class Verify implements Operation {
  readonly name = 'verify';
  readonly usage = `[${SIZES}] [<hash of a checkpoint that was noted>]`;
  readonly summary =
    'checks every commit: its place in the hash chain, its data, its index, its attachments; that no aggregate state is ahead; and all of it against the signed checkpoints';

  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(SIGNERS) private readonly signers: Signers,
  ) {}

  async run(args: readonly string[], report: (progress: Progress) => void, signal: AbortSignal): Promise<Outcome> {
    const [checkpointHash = null, ...more] = args.filter((word) => word !== SIZES);
    if (more.length > 0 || (checkpointHash !== null && !HASH.test(checkpointHash))) {
      throw new OperationRefused(`verify takes no argument, ${SIZES}, or the hash of a checkpoint.`);
    }
    const reads = !args.includes(SIZES);
    const walk = new CommitWalk(this.ports, reads, signal);
    for await (const commits of this.pages(signal)) {
      await walk.take(commits);
      report({ done: walk.commits, of: null, unit: 'commits' });
    }
    if (walk.perhapsTwice.size > 0) {
      for await (const commits of this.pages(signal)) walk.checkAgain(commits);
    }
    const { signedWith, ...checked } = await this.checkpoints(walk, checkpointHash, signal);
    const { commits, faults, erasedStreams } = walk;
    const attachments = walk.attachments.count;
    const knownKeys = new Set([...signedWith, ...this.signers.map(({ key }) => key)]);
    for (const [key, stream] of erasedStreams.signedWith)
      if (!knownKeys.has(key)) faults.add(stream, null, 'its erasure is signed with no key of this installation');
    const ok = faults.count === 0;
    const droppedCounts = walk.droppedData.counts;
    const summary = ok
      ? `All ${commits} commits are unchanged${attachmentsText(attachments, reads)}${droppedText(droppedCounts)}; ${checkpointSummary(checked)}.${erasedStreams.all.map(erasedText).join('')}`
      : `${faults.count} faults in ${commits} commits; the first: ${lines(faults)}`;
    return {
      ok,
      summary,
      details: {
        commits,
        attachments,
        faults: faults.count,
        first: faults.faults,
        dropped: droppedCounts,
        erased: erasedStreams.all,
        ...checked,
      },
    };
  }

  private async checkpoints(
    { faults, erasedStreams }: CommitWalk,
    checkpointHash: string | null,
    signal: AbortSignal,
  ): Promise<CheckedCheckpoints> {
    const keys = this.signers.map(({ key }) => key);
    const onFault = faults.add.bind(faults);
    const checkedCheckpoints = await verifyCheckpoints(this.ports, {
      keys,
      noted: checkpointHash,
      onFault,
      erased: erasedStreams,
      signal,
    });
    if (!checkedCheckpoints.noted)
      faults.add(
        CHECKPOINTS,
        null,
        `none of the ${checkedCheckpoints.checkpoints} checkpoints has the hash ${checkpointHash}`,
      );
    return checkedCheckpoints;
  }

  private async *pages(signal: AbortSignal): AsyncGenerator<readonly Commit[]> {
    for (let after: string | null = null; ;) {
      signal.throwIfAborted();
      const { commits, next } = await this.ports.events.scan(after, PAGE);
      yield commits;
      if (next === null) return;
      after = next;
      await setImmediate();
    }
  }
}

function checkpointSummary({ checkpoints, newest }: Pick<CheckedCheckpoints, 'checkpoints' | 'newest'>): string {
  if (newest === null) return 'no checkpoint is signed yet';
  return `${checkpoints} ${checkpoints === 1 ? 'checkpoint agrees' : 'checkpoints agree'}, the newest is ${newest}`;
}

function attachmentsText(count: number, reads: boolean): string {
  if (count === 0) return '';
  const all = count === 1 ? 'the attachment that they name' : `the ${count} attachments that they name`;
  return reads ? `, with ${all}` : `, and so are the sizes of ${all}`;
}

function droppedText(dropped: readonly DroppedCount[]): string {
  const counted = (all: readonly DroppedCount[]) => all.reduce((sum, { count }) => sum + count, 0);
  const events = counted(dropped.filter(({ what }) => what !== 'attachments'));
  const attachments = counted(dropped.filter(({ what }) => what === 'attachments'));
  const parts = [
    ...(events === 0 ? [] : [`the data of ${events} ${events === 1 ? 'event' : 'events'}`]),
    ...(attachments === 0 ? [] : [`${attachments} ${attachments === 1 ? 'attachment' : 'attachments'}`]),
  ];
  return parts.length === 0 ? '' : ` (retention dropped ${parts.join(' and ')})`;
}

function erasedText({ name, at, by, despiteHolds, leftOut, streams, events }: ErasedOrganization): string {
  const how = `by ${by} at ${new Date(at).toISOString()}${despiteHolds ? ', despite legal holds' : ''}`;
  const rest = leftOut !== null ? '' : ' That was not ended: run erase-organization again.';
  return ` Organization ${name} was erased ${how}: ${streams} streams, ${events} events.${rest}`;
}

/** One line for each listed fault. */
function lines({ faults }: Faults): string {
  return faults.map(({ stream, seq, fault }) => `${stream}${seq === null ? '' : `#${seq}`}: ${fault}`).join('\n');
}

/** One walk over all commits. */
class CommitWalk {
  commits = 0;
  readonly faults = new Faults();
  readonly droppedData: DroppedData;
  readonly attachments: AttachmentCheck;
  readonly erasedStreams = new ErasedStreams();
  /** Ids that may have occurred more than once, with their place in the second walk. */
  readonly perhapsTwice = new Map<string, string | null>();
  private readonly links = new Map<string, Link>();
  private readonly ids = new BloomFilter();
  private readonly environments: EnvironmentCheck;
  private readonly begunErasures: BegunErasures;

  constructor(
    private readonly ports: Ports,
    readsAttachments: boolean,
    signal: AbortSignal,
  ) {
    this.droppedData = new DroppedData(ports.events);
    this.begunErasures = new BegunErasures(ports.events);
    const removals = { dropped: this.droppedData, erased: this.begunErasures };
    this.attachments = new AttachmentCheck(ports, removals, readsAttachments, signal);
    this.environments = new EnvironmentCheck(ports.events);
  }

  async take(commits: readonly Commit[]): Promise<void> {
    const attestations: (readonly [Commit, AttestationWithAttachments])[] = [];
    for (const commit of commits) {
      this.commits += 1;
      if (this.ids.addAndTest(commit.id) && this.perhapsTwice.size < TWICE_MAX) this.perhapsTwice.set(commit.id, null);
      await this.chain(commit);
      const events = await this.data(commit);
      if (kindOf(commit.stream) === 'environment') await this.index(commit, events);
      if (kindOf(commit.stream) === 'organization') this.erasures(commit, events);
      if (kindOf(commit.stream) === 'trail')
        for (const attestation of attestedIn(commit, events ?? [])) attestations.push([commit, attestation]);
      if (commit.seq === 1) await this.state(commit.stream);
    }
    for (const [{ stream, seq }, fault] of await this.attachments.faultsOf(attestations))
      this.faults.add(stream, seq, fault);
  }

  checkAgain(commits: readonly Commit[]): void {
    for (const { id, stream, seq } of commits) {
      const before = this.perhapsTwice.get(id);
      if (before === undefined) continue;
      const here = `${stream}#${seq}`;
      if (before !== null && before !== here) this.faults.add(stream, seq, `its id ${id} is also the id of ${before}`);
      else this.perhapsTwice.set(id, here);
    }
  }

  private async chain(commit: Commit): Promise<void> {
    const { stream, seq } = commit;
    const link = this.links.get(stream);
    const fault = linkFault(commit, link?.seq === seq - 1 ? link : await this.linkAt(stream, seq - 1));
    if (fault !== null) this.faults.add(stream, seq, fault);
    this.links.delete(stream);
    this.links.set(stream, { seq, hash: commitHash(commit) });
    forgetOldest(this.links, LINKS);
  }

  private async linkAt(stream: string, seq: number): Promise<Link | null> {
    const commit = await findCommit(this.ports.events, stream, seq);
    return commit === null ? null : { seq, hash: commitHash(commit) };
  }

  /** @returns null if a part of the data differs from what was written, or is being erased */
  private async data(commit: Commit): Promise<DomainEvent[] | null> {
    const { stream, seq, events, index } = commit;
    const listed: DomainEvent[] = [];
    for (const event of events) {
      const text = await storedText(this.ports.events, commit, event);
      if (text === null && (await this.droppedData.takeData(commit, event))) {
        listed.push(withoutData(event, index?.snapshot ?? 0) ?? { ...event, data: null });
        continue;
      }
      if (text === null && (await this.begunErasures.has(commit.org))) continue;
      const fault = dataFault(event, text);
      if (fault !== null) this.faults.add(stream, seq, fault);
      else listed.push({ type: event.type, version: event.version, data: JSON.parse(text ?? 'null') as unknown });
    }
    return listed.length === events.length ? listed : null;
  }

  private erasures({ stream, seq }: Commit, events: readonly DomainEvent[] | null): void {
    for (const event of events ?? []) {
      if (event.type !== 'OrganizationErased') continue;
      const fault = this.erasedStreams.take(stream, event as OrganizationErased);
      if (fault !== null) this.faults.add(stream, seq, fault);
    }
  }

  private async index(commit: Commit, events: readonly DomainEvent[] | null): Promise<void> {
    if (events === null) return;
    const { org, stream, seq } = commit;
    try {
      const before = () => findCommit(this.ports.events, stream, seq - 1);
      const decodedEvents = events.map((event) => decodeEvent(commit, event, event.data));
      const fault = await this.environments.faultOf(commit, before, decodedEvents);
      if (fault !== null) this.faults.add(stream, seq, fault);
    } catch (error) {
      // An earlier commit may lack data.
      if (await this.begunErasures.has(org)) return;
      this.faults.add(stream, seq, `the running artifacts after it cannot be computed: ${String(error)}`);
    }
  }

  /** Compares an aggregate state with its stream. It reads the state first, so the stream is at least as far, even with concurrent commits. */
  private async state(stream: string): Promise<void> {
    if (stream === CHECKPOINTS) return;
    const aggregate = aggregates.get(kindOf(stream));
    if (aggregate === undefined) return this.faults.add(stream, null, 'no stream of its kind is known');
    const aggregateState = await this.ports.documents.collection(aggregate.states).get(stream);
    if (aggregateState === null) return;
    // This does not use `newest`, because an engine may answer that from memory. `asOf` reads the storage.
    const newest = await this.ports.events.asOf(stream, Number.MAX_SAFE_INTEGER);
    if (newest === null || newest.seq < aggregateState.seq) {
      this.faults.add(
        stream,
        newest?.seq ?? null,
        `its stored state has seq ${aggregateState.seq}, which is ahead of its newest commit`,
      );
    }
  }
}
