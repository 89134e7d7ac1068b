import {
  type Aggregate,
  type DomainEvent,
  type AggregateState,
  type NameKind,
  streams,
} from '@assurance/contracts-events';
import { name as register } from '@assurance/model';
import type { Documents } from '@assurance/storage-ports';

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

/** The aggregate state that has a name in an organization, also if archived or deleted; null if there is none. */
export async function aggregateNamed<State extends object>(
  documents: Documents,
  { kind, states }: Aggregate<State, DomainEvent, NameKind>,
  org: string,
  name: string,
): Promise<AggregateState<State> | null> {
  const id = await holderOf(documents, org, kind, name);
  return id === null ? null : documents.collection(states).get(`${kind}/${id}`);
}
