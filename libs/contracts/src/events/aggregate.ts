import type { DomainEvent, EventMeta } from './event';

type Order = readonly (readonly [path: string, direction: 'asc' | 'desc'])[];

/** An index of a collection of documents. */
interface Index {
  readonly name: string;
  readonly fields: Order;
  /** One of the fields: documents where it is null are not in the index. */
  readonly only?: string;
}

/** The order by these fields; a `-` before a path sorts it in descending order. */
export function orderBy(...paths: readonly string[]): Order {
  return paths.map((path) => (path.startsWith('-') ? [path.slice(1), 'desc'] : [path, 'asc']));
}

/** An index on these fields; paths as of `orderBy`. */
export function index(name: string, ...paths: readonly string[]): Index {
  return { name, fields: orderBy(...paths) };
}

/** The name and indexes of a collection of documents. The documents port calls it a definition. */
export interface CollectionShape<T extends object> {
  readonly name: string;
  readonly indexes: readonly Index[];
  /** Fields of indexes that hold ids or digests: see the documents port. */
  readonly ids?: readonly string[];
  /** Documents that are restored from events, and written some time after they were changed: see the documents port. */
  readonly deferred?: 'first' | 'last';
  /** Documents that are merged again and again: see the documents port. */
  readonly mergedOften?: true;
  /** Never set: carries the document's type. */
  readonly type?: T;
}

/** The bounded state of an aggregate with its seq, the schema version that made it, and its repair epoch after a repair. */
export type AggregateState<State extends object> = State & {
  readonly seq: number;
  readonly fold: number;
  readonly era?: number;
};

/** A small document that an event leaves beside the aggregate state; null removes it. */
export interface InlineProjection {
  readonly collection: CollectionShape<object>;
  readonly id: string;
  readonly doc: object | null;
}

/** Folds the events of one kind of stream into a state. Pure. The id of a state's document is the id of the stream. */
export interface Aggregate<State extends object, Event extends DomainEvent, Kind extends string = string> {
  /** The stream's first segment. */
  readonly kind: Kind;
  readonly states: CollectionShape<AggregateState<State>>;
  /**
   * Raised whenever `evolve` or `inlineProjections` gives another result for the same events: older aggregate states are folded again on load. Raised too when the kind
   * gets a new type or version of event: an older instance then folds the stream itself and meets what it does not know.
   */
  readonly schemaVersion: number;
  /** Types of events that change neither the state nor documents: they may be left out, so that their data is not read. Never the first of a stream. */
  readonly unfolded?: ReadonlySet<Event['type']>;
  /** @param state null before the first event */
  evolve(state: State | null, event: Event, meta: EventMeta): State;
  /**
   * Further documents that the event changes.
   *
   * @param state after the event
   * @param before null before the first event
   */
  inlineProjections?(state: State, event: Event, meta: EventMeta, before: State | null): Iterable<InlineProjection>;
}

/** A stream was folded that does not begin as its kind begins, or holds an event that its kind does not know. */
export class UnexpectedEvent extends Error {
  override readonly name = 'UnexpectedEvent';
  constructor(event: DomainEvent, meta: EventMeta) {
    super(`${event.type} v${event.version} is not expected at ${meta.stream}#${meta.seq}`);
  }
}
