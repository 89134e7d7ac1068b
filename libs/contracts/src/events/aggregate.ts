import type { DomainEvent, EventMeta } from './event';

type Order = readonly (readonly [path: string, direction: 'asc' | 'desc'])[];

/** An index of a collection of documents. */
interface Index {
  readonly name: string;
  readonly fields: Order;
  /** One of the fields. Documents with null in this field are not in the index. */
  readonly only?: string;
}

/** The order by these fields; a `-` before a path sorts it in descending order. */
export function orderBy(...paths: readonly string[]): Order {
  return paths.map((path) => (path.startsWith('-') ? [path.slice(1), 'desc'] : [path, 'asc']));
}

/** An index on these fields. The paths are as in `orderBy`. */
export function index(name: string, ...paths: readonly string[]): Index {
  return { name, fields: orderBy(...paths) };
}

/** The name and indexes of a collection of documents. The documents port calls it a definition. */
export interface CollectionShape<T extends object> {
  readonly name: string;
  readonly indexes: readonly Index[];
  /** Indexed fields that hold ids or digests: see the documents port. */
  readonly ids?: readonly string[];
  /** Marks documents that can be restored from events and are written some time after a change: see the documents port. */
  readonly deferred?: 'first' | 'last';
  /** Marks documents that are merged often: see the documents port. */
  readonly mergedOften?: true;
  /** Never set; it carries the type of the document. */
  readonly type?: T;
}

/** The limited state of an aggregate, with its seq and the schema version that made it. After a repair it also has the repair epoch. */
export type AggregateState<State extends object> = State & {
  readonly seq: number;
  readonly fold: number;
  readonly era?: number;
};

/** A small document that an event writes beside the aggregate state; null removes it. */
export interface InlineProjection {
  readonly collection: CollectionShape<object>;
  readonly id: string;
  readonly doc: object | null;
}

/** Folds the events of one kind of stream into a state. The functions are pure. The document of a state has the id of the stream. */
export interface Aggregate<State extends object, Event extends DomainEvent, Kind extends string = string> {
  /** The first segment of the stream's id. */
  readonly kind: Kind;
  readonly states: CollectionShape<AggregateState<State>>;
  /**
   * Raise it whenever `evolve` or `inlineProjections` returns another result for the same events; states of an older version are then folded again on
   * load. Raise it also when the kind gets a new type or version of event: an older instance then folds the stream itself and finds the event that it
   * does not know.
   */
  readonly schemaVersion: number;
  /**
   * Types of events that change neither the state nor documents. A fold may leave them out, so that their data is not read. The first event of a
   * stream is never of these types.
   */
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

/** A folded stream does not begin as its kind requires, or has an event that its kind does not know. */
export class UnexpectedEvent extends Error {
  override readonly name = 'UnexpectedEvent';
  constructor(event: DomainEvent, meta: EventMeta) {
    super(`${event.type} v${event.version} is not expected at ${meta.stream}#${meta.seq}`);
  }
}
