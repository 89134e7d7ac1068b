import type { Register } from '@assurance/access/write/register';
import {
  allowed,
  type AllowedDocument,
  allowedId,
  type Environment,
  running,
  type Running,
  type RunningDocument,
} from '@assurance/contracts/environments/documents';
import type { EnvironmentEvent, RunningArtifact } from '@assurance/contracts/environments/events';
import { orderBy } from '@assurance/contracts/events/aggregate';
import type { Holder } from '@assurance/contracts/events/holder';
import { streams } from '@assurance/contracts/events/streams';
import { repairEpochOf, StreamReplay } from '@assurance/event-sourcing/command/stream-replay';
import { ATTEMPTS, type CommitAuthor, type CommandOutcome, Streams } from '@assurance/event-sourcing/command/streams';
import { BrokenRecord, commitsOf, eventsOf, snapshotCommits } from '@assurance/event-sourcing/sealing/read';
import { BytesCache, type Decision, intern, mapInSlices, roughBytes, Slices } from '@assurance/kernel';
import type { CommitIndex, Part } from '@assurance/storage-ports';
import { Injectable } from '@nestjs/common';
import { environment } from '../domain/environment';
import { runningAfter, runningAfterChange } from '../domain/judged';
import { CompactRunning } from '../domain/compact-running';
import { refreshedRunning } from '../domain/refresh';
import { keyText, runningAfterRefresh, runsDigest, type RunsDigests, runsDigests } from '../domain/runs';
import { SnapshotReplay } from '../domain/snapshot';
import { fullIsDue } from '../domain/snapshot-of';
import type { UnloadedEnvironment } from './unchanged';

/** Size of the cache of environments with their running artifacts (bytes). */
const BYTES_MAX = 96 * 1024 * 1024;
/** Size of the cache of names (bytes). */
const NAMES_BYTES_MAX = 16 * 1024 * 1024;
/** Artifacts in one page of running artifacts. */
const PAGE = 1000;

/** An environment with its running artifacts, as commands read it. */
export interface LoadedEnvironment extends UnloadedEnvironment {
  readonly running: readonly Running[];
}

/** The same in the compact form of the cache. */
interface CachedEnvironment extends UnloadedEnvironment {
  readonly compactRunning: CompactRunning;
}

/** Options of a command on an environment. */
interface RunOptions {
  /** Further documents, written with those of the commit. */
  readonly partsBeside?: (environment: Environment) => readonly Part[];
  /** Digests of the running artifacts after a commit on this state, if the decision computed them. */
  readonly digests?: (current: LoadedEnvironment) => Partial<RunsDigests>;
  /**
   * The first attempt decides on the cached state without reading the newest commit. The append fails if another process has committed since. A decision
   * without events is checked against the newest commit afterwards.
   */
  readonly cached?: boolean;
}

/** Environments with their running artifacts, cached and checked against the newest commit of each stream. */
@Injectable()
export class Environments {
  private readonly cache = new BytesCache<CachedEnvironment>(BYTES_MAX, bytesOf);
  /** Ids of environments by organization and name, as last read. */
  private readonly names = new BytesCache<string>(NAMES_BYTES_MAX);
  /** Repair epochs by stream, of environments that were repaired since this process began. */
  private readonly repairEpochs = new Map<string, number>();

  constructor(private readonly streams: Streams) {}

  /** The state that a command is decided on, null when there is no such environment. */
  async find(id: string): Promise<LoadedEnvironment | null> {
    const cachedState = await this.loadCached(id);
    return cachedState === null ? null : loadedFrom(cachedState);
  }

  private async loadCached(id: string): Promise<CachedEnvironment | null> {
    const stream = streams.environment(id);
    const cachedState = this.cache.get(stream);
    const newest = await this.streams.engines.events.newest(stream);
    if (newest === null) return null;
    if (cachedState?.newest.id === newest.id) return cachedState;
    if (cachedState !== undefined) {
      return this.remember(stream, await this.advance(await loadedFrom(cachedState), stream));
    }
    for (let attempt = 1; ; attempt += 1) {
      const loadedEnvironment = await this.load(id, stream);
      if (loadedEnvironment !== null) return this.remember(stream, loadedEnvironment);
      if (attempt === ATTEMPTS) throw new BrokenRecord(`what environment ${id} runs does not match its newest commit`);
      await this.streams.pause(attempt);
    }
  }

  /** An environment without its running artifacts; null when there is none, or when its stored state is behind: then use `find`. */
  async loadWithoutRunning(id: string): Promise<UnloadedEnvironment | null> {
    const stream = streams.environment(id);
    const cachedState = this.cache.get(stream);
    const newest = await this.streams.engines.events.newest(stream);
    if (newest === null) return null;
    if (cachedState?.newest.id === newest.id) return cachedState;
    const aggregateState = await this.streams.states(environment).get(stream);
    const whole = aggregateState?.fold === environment.schemaVersion && aggregateState.seq === newest.seq;
    return whole ? { environment: aggregateState, newest } : null;
  }

  /**
   * The environment with a name or alias, and its state (null: use `find`); null when nobody claimed the name. A cached result holds
   * while the environment keeps that name, because a new owner of the name must wait until it is renamed.
   */
  async byName(
    register: Register,
    org: string,
    name: string,
  ): Promise<{ readonly id: string; readonly state: UnloadedEnvironment | null } | null> {
    const key = `${org}/${name}`;
    const cachedId = this.names.get(key);
    if (cachedId !== undefined) {
      const state = await this.loadWithoutRunning(cachedId);
      if (state?.environment.name === name) return { id: cachedId, state };
      this.names.delete(key);
    }
    const id = await register.find(org, 'environment', name);
    if (id === null) return null;
    const state = await this.loadWithoutRunning(id);
    if (state?.environment.name === name) {
      this.names.set(key, id);
    }
    return { id, state };
  }

  /**
   * The environment with a name, from the cache alone; null if it is not cached. Another process may have committed since: only a successful
   * append after this state proves that the state was the newest.
   */
  getCached(org: string, name: string): { readonly id: string; readonly state: UnloadedEnvironment } | null {
    const id = this.names.get(`${org}/${name}`);
    const state = id === undefined ? undefined : this.cache.get(streams.environment(id));
    return id === undefined || state?.environment.name !== name ? null : { id, state };
  }

  /** The name of an environment and the newest seq of its stream; null when there is none. */
  async holder(id: string): Promise<Holder | null> {
    const cachedState = await this.loadCached(id);
    return cachedState === null ? null : { name: cachedState.environment.name, seq: cachedState.newest.seq };
  }

  /** Like `Streams.run`, with the running artifacts. */
  async run<Refusal>(
    id: string,
    by: CommitAuthor,
    decide: (
      current: LoadedEnvironment | null,
      at: number,
    ) => Promise<Decision<EnvironmentEvent, Refusal>> | Decision<EnvironmentEvent, Refusal>,
    { partsBeside, digests, cached }: RunOptions = {},
  ): Promise<CommandOutcome<Environment, EnvironmentEvent, Refusal>> {
    const stream = streams.environment(id);
    let attempts = 0;
    return this.streams.retryConflicts(by.org, stream, async () => {
      const fromCache = cached === true && attempts++ === 0 ? this.cache.get(stream) : undefined;
      const current = fromCache === undefined ? await this.find(id) : await loadedFrom(fromCache);
      const at = this.streams.timeAfter(current?.newest ?? null);
      const decision = await decide(current, at);
      if (decision.kind !== 'events' && fromCache !== undefined && (await this.loadCached(id)) !== fromCache)
        return null;
      if (decision.kind === 'refused') return decision;
      if (decision.kind === 'nothing') return { kind: 'nothing', state: current?.environment ?? null };
      const { events } = decision;
      const runs = await afterEvents(current?.running ?? [], events);
      const index = await indexOf(events, current, runs, current === null ? {} : (digests?.(current) ?? {}));
      return this.streams.trackProjection(stream, async () => {
        const commit = await this.streams.append(stream, by, at, current?.newest ?? null, events, index);
        if (commit === null) return null;
        const before = current?.environment ?? null;
        const parts = before === null ? [] : partsBeside?.(before);
        const state = await this.streams.project(environment, before, commit, events, parts);
        await this.remember(stream, { environment: state, running: runs, newest: commit });
        return { kind: 'committed', commit, events, state };
      });
    });
  }

  /** The entry of a fingerprint on the environment's allow-list; null without one. Call it after `find`. */
  async allowedEntry(id: string, fingerprint: string): Promise<AllowedDocument | null> {
    return this.streams.engines.documents.collection(allowed).get(allowedId(id, fingerprint));
  }

  /** All artifacts of the newest snapshot, as recorded; null unless the next snapshot is to keep them. */
  async readRecorded(current: LoadedEnvironment): Promise<readonly RunningArtifact[] | null> {
    return fullIsDue(current.environment) ? this.newest(current) : null;
  }

  /** All artifacts of the newest snapshot, as recorded; none while there is no snapshot. */
  async newest({ environment: { id, snapshot } }: LoadedEnvironment): Promise<readonly RunningArtifact[]> {
    if (snapshot === 0) return [];
    const { events } = this.streams.engines;
    const commits = await snapshotCommits(events, streams.environment(id), snapshot);
    if (commits === null) throw new BrokenRecord(`snapshot ${snapshot} of environment ${id} is gone`);
    const replay = new SnapshotReplay();
    const slices = new Slices();
    for await (const commit of commits) {
      for (const event of await eventsOf(events, commit)) {
        replay.apply(event as EnvironmentEvent);
        await slices.pause();
      }
    }
    return replay.result().artifacts;
  }

  /** The stored state was repaired: removes cached states that are based on the damaged one. */
  forgetRepaired(stream: string, repairEpoch: number): void {
    this.repairEpochs.set(stream, repairEpoch);
    this.forget(stream);
  }

  private async remember(
    stream: string,
    { environment: state, newest, running: runs }: LoadedEnvironment,
  ): Promise<CachedEnvironment> {
    const cachedEnvironment = {
      environment: state,
      newest,
      compactRunning: CompactRunning.of(runs),
      ...(newest.index?.identity === undefined ? { digests: runsDigests(runs) } : {}),
    };
    if (repairEpochOf(state) < (this.repairEpochs.get(stream) ?? 0)) this.forget(stream);
    else this.cache.set(stream, cachedEnvironment);
    return cachedEnvironment;
  }

  private forget(stream: string): void {
    this.cache.delete(stream);
  }

  /** Folds and stores commits of other processes: a process may have died before it stored the result. */
  private async advance(loadedEnvironment: LoadedEnvironment, stream: string): Promise<LoadedEnvironment> {
    let { running: runs, newest } = loadedEnvironment;
    const replay = new StreamReplay(this.streams.engines.documents, environment, loadedEnvironment.environment);
    let state = loadedEnvironment.environment;
    for await (const commit of commitsOf(this.streams.engines.events, stream, newest.seq + 1)) {
      const events = (await eventsOf(this.streams.engines.events, commit)) as EnvironmentEvent[];
      state = await replay.apply(commit, events);
      runs = await afterEvents(runs, events);
      newest = commit;
    }
    await replay.write(stream);
    return { environment: state, running: runs, newest };
  }

  /**
   * Reads the state, then documents, then commits, so a concurrent commit that is missing in the documents is among the commits. Null
   * when documents changed during the read and the parts do not fit together.
   */
  private async load(id: string, stream: string): Promise<LoadedEnvironment | null> {
    const aggregateState = await this.streams.states(environment).get(stream);
    // Documents of another schema version may lack fields.
    const before = aggregateState?.fold === environment.schemaVersion ? aggregateState : null;
    const documents = before === null ? [] : await this.documents(id);
    const { state, newest } = await this.streams.load(environment, stream);
    if (state === null || newest === null) return null;
    let runs: readonly Running[] = documents;
    for await (const commit of commitsOf(this.streams.engines.events, stream, (before?.seq ?? 0) + 1, newest.seq)) {
      runs = await afterEvents(runs, (await eventsOf(this.streams.engines.events, commit)) as EnvironmentEvent[]);
    }
    const digest = runsDigest(runs, 'runsCounted', newest.index?.identity ?? 'name');
    const fits = newest.index?.runsCounted === digest;
    return fits ? { environment: state, running: runs, newest } : null;
  }

  /** Reads the running artifacts by key, not by offset, because concurrent changes would shift offsets. */
  private async documents(id: string): Promise<Running[]> {
    const collection = this.streams.engines.documents.collection<RunningDocument>(running);
    const results = new Map<string, Running>();
    const slices = new Slices();
    let from = '';
    for (let skip = 0; ;) {
      const page = await collection.find({
        where: { environment: id, fingerprint: { gte: from } },
        order: orderBy('fingerprint', 'name'),
        skip,
        limit: PAGE,
      });
      for (const { doc } of page) {
        const { org: _, environment: __, ...runs } = doc;
        const [fingerprint, name] = [intern(doc.fingerprint), intern(doc.name)];
        results.set(keyText(doc), { ...runs, fingerprint, name });
      }
      const last = page.at(-1)?.doc.fingerprint;
      if (page.length < PAGE || last === undefined) return [...results.values()];
      const readOfLast = page.filter(({ doc }) => doc.fingerprint === last).length;
      skip = last === from ? skip + page.length : readOfLast;
      from = last;
      await slices.pause();
    }
  }
}

async function afterEvents(runs: readonly Running[], events: readonly EnvironmentEvent[]): Promise<readonly Running[]> {
  const snapshotRecorded = events.find((event) => event.type === 'SnapshotRecorded');
  if (snapshotRecorded === undefined) return runs;
  const { refreshed, changes } = snapshotRecorded.data;
  const slices = new Slices();
  const renewed = await mapInSlices(refreshed?.artifacts ?? [], runningAfterRefresh, slices);
  const changed = await mapInSlices(changes, runningAfterChange, slices);
  await slices.pause();
  const current = refreshed === undefined ? runs : refreshedRunning(runs, refreshed, renewed);
  await slices.pause();
  const after = runningAfter(current, changes, changed);
  await slices.pause();
  return after;
}

/** Look-up values of an environment's commit. */
async function indexOf(
  events: readonly EnvironmentEvent[],
  before: LoadedEnvironment | null,
  runs: readonly Running[],
  knownDigests: Partial<RunsDigests>,
): Promise<CommitIndex> {
  const recorded = events.find((event) => event.type === 'SnapshotRecorded');
  const stateKept = events.find((event) => event.type === 'SnapshotStateKept');
  const snapshot = recorded?.data.snapshot ?? before?.environment.snapshot ?? 0;
  const full = stateKept?.data.snapshot ?? before?.environment.full ?? 0;
  const observedAt = recorded?.data.observedAt;
  const digests = runsDigests(runs, knownDigests);
  return { snapshot, full, ...digests, identity: 'fingerprint', ...(observedAt === undefined ? {} : { observedAt }) };
}

async function loadedFrom({
  environment: state,
  newest,
  compactRunning,
}: CachedEnvironment): Promise<LoadedEnvironment> {
  return { environment: state, newest, running: compactRunning.artifacts() };
}

function bytesOf({ environment: state, newest, compactRunning }: CachedEnvironment): number {
  return roughBytes(state) + roughBytes(newest) + compactRunning.bytes;
}
