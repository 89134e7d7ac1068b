import type { Aggregate, DomainEvent, Head } from '@assurance/contracts-events';
import type { Holder } from '@assurance/ingestion-domain';
import { RefusalError } from '@assurance/http';
import type { Decision } from '@assurance/kernel';
import type { Collection, Commit, CommitIndex, Engines, Part } from '@assurance/storage-ports';
import { commitsOf, eventsOf, seal } from '@assurance/storage-records';
import { Folding } from './folding';
import { Turns } from './turns';

/** How often a command that lost a race decides again before it gives up. */
export const ATTEMPTS = 12;

/** On whose behalf a commit is made. */
export interface By {
  /** Id of the organization, or `-`. */
  readonly org: string;
  /** Id of the user or service account, or `bootstrap`, or `system`. */
  readonly actor: string;
  readonly correlation: string;
}

/** A stream as it stands: its state and newest commit, both null before its first event. */
export interface Loaded<State> {
  readonly state: State | null;
  readonly newest: Commit | null;
}

/** How a command on a stream ended. */
export type Ended<State, Event, Refusal> =
  | { readonly kind: 'committed'; readonly commit: Commit; readonly events: readonly Event[]; readonly state: State }
  | { readonly kind: 'nothing'; readonly state: State | null }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** What time and ids come from: the runtime hands them in. */
export interface Sources {
  /** Integer milliseconds. */
  now(): number;
  /** A new UUIDv7. */
  id(): string;
  /** From 0 to 1: how long to wait before deciding again. */
  random(): number;
}

/** Load, decide, commit: the one way in which events come to be. */
export class Streams {
  /** By stream: what was begun last of appends whose documents are not written yet. */
  private readonly underWay = new Map<string, Promise<unknown>>();
  private readonly turns = new Turns();

  constructor(
    readonly engines: Pick<Engines, 'events' | 'documents'>,
    readonly sources: Sources,
  ) {}

  /**
   * A stream's state: its head and the commits after it. Where the head is behind (a crash came between), it is written again, once however far behind it is.
   */
  async load<State extends object, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    stream: string,
  ): Promise<Loaded<State>> {
    const stored = await this.heads(aggregate).get(stream);
    const head = stored?.fold === aggregate.fold ? stored : null;
    const folding = new Folding(this.engines.documents, aggregate, head);
    let newest: Commit | null = null;
    for await (const commit of commitsOf(this.engines.events, stream, head?.seq ?? 1)) {
      newest = commit;
      if (head !== null && commit.seq <= head.seq) continue;
      await folding.take(commit, (await eventsOf(this.engines.events, commit)) as Event[]);
    }
    await folding.write(stream);
    return { state: folding.state, newest };
  }

  /** How the aggregate of a stream is called, and where its stream stands; null before its first event. */
  async holder<State extends { readonly name: string }, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    stream: string,
  ): Promise<Holder | null> {
    const { state, newest } = await this.load(aggregate, stream);
    return state === null || newest === null ? null : { name: state.name, seq: newest.seq };
  }

  /**
   * Decides on a stream's newest state and commits what was decided; when another process committed first, loads and decides again. Commands of
   * this process on one stream take turns.
   *
   * @param decide reads other streams only when called: its own stream is always loaded first (write first, look second). It may claim names,
   *   and runs no other command.
   * @throws RefusalError `lost-race` after too many others were faster, `too-busy` when too many wait for their turn
   */
  async run<State extends object, Event extends DomainEvent, Refusal>(
    aggregate: Aggregate<State, Event>,
    stream: string,
    by: By,
    decide: (loaded: Loaded<State>, at: number) => Promise<Decision<Event, Refusal>> | Decision<Event, Refusal>,
  ): Promise<Ended<State, Event, Refusal>> {
    return this.untilThrough(by.org, stream, async () => {
      const loaded = await this.load(aggregate, stream);
      const at = this.timeAfter(loaded.newest);
      const decision = await decide(loaded, at);
      if (decision.kind === 'refused') return decision;
      if (decision.kind === 'nothing') return { kind: 'nothing', state: loaded.state };
      return this.keeping(stream, async () => {
        const commit = await this.append(stream, by, at, loaded.newest, decision.events);
        if (commit === null) return null;
        const state = await this.keep(aggregate, loaded.state, commit, decision.events);
        return { kind: 'committed', commit, events: decision.events, state };
      });
    });
  }

  /** Appends to a stream and keeps what the commit leaves: `kept` waits for it. */
  async keeping<Done>(stream: string, appendAndKeep: () => Promise<Done>): Promise<Done> {
    const work = appendAndKeep();
    this.underWay.set(stream, work);
    try {
      return await work;
    } finally {
      if (this.underWay.get(stream) === work) this.underWay.delete(stream);
    }
  }

  /** Waits until this process has kept what it just committed to streams, or failed to: to look earlier would only mean to do it twice. */
  async kept(all: Iterable<string>): Promise<void> {
    await Promise.allSettled([...all].flatMap((stream) => this.underWay.get(stream) ?? []));
  }

  /**
   * Waits for its turn on the stream, then tries until an attempt gets through, pausing a little longer each time.
   *
   * @param attempt null when another process committed first
   * @throws RefusalError `lost-race` after too many others were faster, `too-busy` when too many wait for their turn
   */
  async untilThrough<Done>(org: string, stream: string, attempt: () => Promise<Done | null>): Promise<Done> {
    return this.turns.take(org, stream, () => this.tryAgain(attempt));
  }

  private async tryAgain<Done>(attempt: () => Promise<Done | null>): Promise<Done> {
    for (let tried = 0; tried < ATTEMPTS; tried += 1) {
      if (tried > 1) await this.pause(tried);
      const done = await attempt();
      if (done !== null) return done;
    }
    throw new RefusalError({ kind: 'lost-race' });
  }

  /** Appends what follows `newest`; null when another commit came first. */
  async append(
    stream: string,
    { org, actor, correlation }: By,
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

  /** The time of a commit after `newest`: a clock that jumps back does not turn a stream's order round. */
  timeAfter(newest: Commit | null): number {
    return Math.max(this.sources.now(), newest?.at ?? 0);
  }

  /**
   * Writes what a commit leaves beside it: the small documents first, then the head, each only ever forward. A head of seq n therefore
   * says that all documents up to n are there.
   *
   * @param state the state before the commit
   * @param beside what else is to be written, with the small documents
   * @returns the state after it
   */
  async keep<State extends object, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    state: State | null,
    commit: Commit,
    events: readonly Event[],
    beside: readonly Part[] = [],
  ): Promise<State> {
    const folding = new Folding(this.engines.documents, aggregate, state);
    const after = await folding.take(commit, events);
    await folding.write(commit.stream, beside);
    return after;
  }

  heads<State extends object, Event extends DomainEvent>(aggregate: Aggregate<State, Event>): Collection<Head<State>> {
    return this.engines.documents.collection(aggregate.heads);
  }

  /** Waits a little before deciding again: longer with each attempt, and not as long as the others do. */
  async pause(attempt: number): Promise<void> {
    const longest = Math.min(100, 2 ** attempt);
    await new Promise((resolve) => setTimeout(resolve, this.sources.random() * longest));
  }
}
