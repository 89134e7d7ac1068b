import type { Aggregate, AggregateState } from '@assurance/contracts/events/aggregate';
import { refuseUnknown } from '@assurance/contracts/events/codec';
import type { DomainEvent } from '@assurance/contracts/events/event';
import { type NameKind, streams } from '@assurance/contracts/events/streams';
import { commitsOf } from '@assurance/event-sourcing/sealing/read';
import type { Documents, Engines } from '@assurance/storage-ports';
import { name as register } from '../domain/name';

/**
 * The id that holds a name; null for an unclaimed name. A claimed name may have no aggregate yet.
 *
 * @param org id of the organization, or `NO_ORGANIZATION` for names that the installation shares
 */
export async function holderOf(
  documents: Documents,
  org: string,
  kind: NameKind,
  name: string,
): Promise<string | null> {
  return (await documents.collection(register.states).get(streams.name(org, kind, name)))?.id ?? null;
}

/** The state of the aggregate that holds a name in an organization, even if it is archived or deleted; null if there is none. */
export async function findByName<State extends object>(
  documents: Documents,
  { kind, states }: Aggregate<State, DomainEvent, NameKind>,
  org: string,
  name: string,
): Promise<AggregateState<State> | null> {
  const stream = await findStreamByName(documents, org, kind, name);
  return stream === null ? null : documents.collection(states).get(stream);
}

/** The stream of the aggregate that holds a name; null for an unclaimed name. */
async function findStreamByName(
  documents: Documents,
  org: string,
  kind: NameKind,
  name: string,
): Promise<string | null> {
  const id = await holderOf(documents, org, kind, name);
  return id === null ? null : `${kind}/${id}`;
}

/** The stores that a query reads: aggregate states, and the events after them. */
export type Stores = Pick<Engines, 'documents' | 'events'>;

/**
 * The newest state of the aggregate that holds a name in an organization, even if it is archived or deleted; null if there is none.
 *
 * @throws UnknownEvent if its stream has an event that this version does not know
 */
export async function loadNewestByName<State extends object>(
  stores: Stores,
  aggregate: Aggregate<State, DomainEvent, NameKind>,
  org: string,
  name: string,
): Promise<AggregateState<State> | null> {
  const stream = await findStreamByName(stores.documents, org, aggregate.kind, name);
  if (stream === null) return null;
  return newest(stores, stream, await stores.documents.collection(aggregate.states).get(stream));
}

/**
 * Checks that this version knows all events after a state, and returns the state.
 *
 * @throws UnknownEvent if a newer version of the service wrote the events after the state
 */
export async function newest<State extends { readonly seq: number }>(
  { events }: Stores,
  stream: string,
  state: State | null,
): Promise<State | null> {
  for await (const commit of commitsOf(events, stream, (state?.seq ?? 0) + 1)) refuseUnknown(commit);
  return state;
}
