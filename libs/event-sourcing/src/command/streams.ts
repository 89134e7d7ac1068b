import type { Aggregate, AggregateState } from '@assurance/contracts/events/aggregate';
import type { DomainEvent } from '@assurance/contracts/events/event';
import type { Holder } from '@assurance/contracts/events/holder';
import { Refused } from '@assurance/contracts/http/refusals';
import type { Decision } from '@assurance/kernel';
import type { Collection, Commit, CommitIndex, Engines, Part } from '@assurance/storage-ports';
import { commitsOf, foldedEventsOf } from '../sealing/read';
import { seal } from '../sealing/seal';
import { CommandQueue } from './command-turns';
import { StreamReplay } from './stream-replay';

/** How often a command that lost a race decides again before it gives up. */
export const ATTEMPTS = 12;

/** The actor and organization of a commit. */
export interface CommitAuthor {
  /** Id of the organization, or `-`. */
  readonly org: string;
  /** Id of the user or service account, or `bootstrap`, or `system`. */
  readonly actor: string;
  readonly correlation: string;
}

/** The state and the newest commit of a stream, both null before its first event. */
export interface LoadedStream<State> {
  readonly state: State | null;
  readonly newest: Commit | null;
}

/** How a command on a stream ended. */
export type CommandOutcome<State, Event, Refusal> =
  | { readonly kind: 'committed'; readonly commit: Commit; readonly events: readonly Event[]; readonly state: State }
  | { readonly kind: 'nothing'; readonly state: State | null }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Sources of time and ids, given by the runtime. */
export interface Sources {
  /** Integer milliseconds. */
  now(): number;
  /** A new UUIDv7. */
  id(): string;
  /** A random number from 0 to 1. It sets the pause before the next attempt. */
  random(): number;
}

/** Loads, decides and commits. All events are created here. */
export class Streams {
  /** By stream: the last append, while its documents are not written yet. */
  private readonly underWay = new Map<string, Promise<unknown>>();
  private readonly queue = new CommandQueue();

  constructor(
    readonly engines: Pick<Engines, 'events' | 'documents'>,
    readonly sources: Sources,
  ) {}

  /**
   * Loads the stored state of a stream and applies the commits after it. A state that is behind because of a crash is written again. The newest
   * commit is read first: a stream without commits has no state to read, and most commands that create something load such a stream.
   */
  async load<State extends object, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    stream: string,
  ): Promise<LoadedStream<State>> {
    const { events, documents } = this.engines;
    let newest = await events.newest(stream);
    if (newest === null) return { state: null, newest };
    const storedState = await this.states(aggregate).get(stream);
    const aggregateState = storedState?.fold === aggregate.schemaVersion ? storedState : null;
    const replay = new StreamReplay(documents, aggregate, aggregateState);
    if (aggregateState?.seq !== newest.seq) {
      // It is behind, or another process committed since.
      for await (const commit of commitsOf(events, stream, aggregateState?.seq ?? 1)) {
        newest = commit;
        if (aggregateState !== null && commit.seq <= aggregateState.seq) continue;
        await replay.apply(commit, await foldedEventsOf<Event>(events, commit, aggregate));
      }
      await replay.write(stream);
    }
    return { state: replay.state, newest };
  }

  /**
   * The name of an aggregate and the newest seq of its stream; null before its first event. A deleted aggregate has no
   * name.
   */
  async holder<State extends { readonly name: string; readonly deleted?: boolean }, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    stream: string,
  ): Promise<Holder | null> {
    const { state, newest } = await this.load(aggregate, stream);
    if (state === null || newest === null) return null;
    return { name: state.deleted === true ? '' : state.name, seq: newest.seq };
  }

  /**
   * Decides on a stream's newest state and commits the decision. When another process has committed first, it loads and
   * decides again. Commands of this process on one stream run one after another.
   *
   * @param decide reads other streams only when called: its own stream is always loaded first (write first, look
   *   second). It may claim names, and runs no other command.
   * @throws Refused `lost-race` after too many lost attempts, `too-busy` when too many commands wait
   */
  async run<State extends object, Event extends DomainEvent, Refusal>(
    aggregate: Aggregate<State, Event>,
    stream: string,
    by: CommitAuthor,
    decide: (loaded: LoadedStream<State>, at: number) => Promise<Decision<Event, Refusal>> | Decision<Event, Refusal>,
  ): Promise<CommandOutcome<State, Event, Refusal>> {
    return this.retryConflicts(by.org, stream, async () => {
      const loaded = await this.load(aggregate, stream);
      const at = this.timeAfter(loaded.newest);
      const decision = await decide(loaded, at);
      if (decision.kind === 'refused') return decision;
      if (decision.kind === 'nothing') return { kind: 'nothing', state: loaded.state };
      return this.trackProjection(stream, async () => {
        const commit = await this.append(stream, by, at, loaded.newest, decision.events);
        if (commit === null) return null;
        const state = await this.project(aggregate, loaded.state, commit, decision.events);
        return { kind: 'committed', commit, events: decision.events, state };
      });
    });
  }

  /** Appends to a stream and writes the documents of the commit. `waitForProjections` waits for it. */
  async trackProjection<Done>(stream: string, appendAndProject: () => Promise<Done>): Promise<Done> {
    const work = appendAndProject();
    this.underWay.set(stream, work);
    try {
      return await work;
    } finally {
      if (this.underWay.get(stream) === work) this.underWay.delete(stream);
    }
  }

  /** Waits until this process has written the documents of its newest commits, or failed to. Reading them earlier would repeat that work. */
  async waitForProjections(all: Iterable<string>): Promise<void> {
    await Promise.allSettled([...all].flatMap((stream) => this.underWay.get(stream) ?? []));
  }

  /**
   * Waits for earlier commands on the stream, then tries until a commit succeeds, with growing pauses.
   *
   * @param attempt null when another process committed first
   * @throws Refused `lost-race` after too many lost attempts, `too-busy` when too many commands wait
   */
  async retryConflicts<Done>(org: string, stream: string, attempt: () => Promise<Done | null>): Promise<Done> {
    return this.queue.run(org, stream, () => this.tryAgain(attempt));
  }

  private async tryAgain<Done>(attempt: () => Promise<Done | null>): Promise<Done> {
    for (let attempts = 0; attempts < ATTEMPTS; attempts += 1) {
      if (attempts > 1) await this.pause(attempts);
      const result = await attempt();
      if (result !== null) return result;
    }
    throw new Refused({ kind: 'lost-race' });
  }

  /** Appends a commit after `newest`; null when another commit came first. */
  async append(
    stream: string,
    { org, actor, correlation }: CommitAuthor,
    at: number,
    newest: Commit | null,
    events: readonly DomainEvent[],
    index?: CommitIndex,
  ): Promise<Commit | null> {
    const draft = {
      id: this.sources.id(),
      org,
      stream,
      at,
      actor,
      correlation,
      ...(index === undefined ? {} : { index }),
    };
    const commit = await seal(this.engines.events, draft, newest, events);
    return (await this.engines.events.append(commit)) === 'appended' ? commit : null;
  }

  /** The time of a commit after `newest`: never before it, even if the clock was set back. */
  timeAfter(newest: Commit | null): number {
    return Math.max(this.sources.now(), newest?.at ?? 0);
  }

  /**
   * Writes the results of a commit: the inline projections first, then the aggregate state. An older write never replaces a newer one.
   * So an aggregate state of seq n means that all documents up to n are stored.
   *
   * @param state the state before the commit
   * @param beside further documents to write in the same step
   * @returns the state after it
   */
  async project<State extends object, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    state: State | null,
    commit: Commit,
    events: readonly Event[],
    beside: readonly Part[] = [],
  ): Promise<State> {
    const replay = new StreamReplay(this.engines.documents, aggregate, state);
    const after = await replay.apply(commit, events);
    await replay.write(commit.stream, beside);
    return after;
  }

  states<State extends object, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
  ): Collection<AggregateState<State>> {
    return this.engines.documents.collection(aggregate.states);
  }

  /** Waits before the next attempt: longer each time, with a random part so that competitors differ. */
  async pause(attempt: number): Promise<void> {
    const longest = Math.min(100, 2 ** attempt);
    await new Promise((resolve) => setTimeout(resolve, this.sources.random() * longest));
  }
}
