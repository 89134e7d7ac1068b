import { newest, loadNewestByName, type Stores } from '@assurance/access/lookups/named';
import type { Organization } from '@assurance/access/lookups/organization';
import { streams } from '@assurance/contracts/events/streams';
import type { Flow } from '@assurance/contracts/flows/documents';
import { err, ok, type Result } from '@assurance/kernel';
import { flow } from '../domain/flow';
import { trail, type Trail } from '../domain/trail';

/** Finds a flow by its name. */
export async function findFlow(
  stores: Stores,
  org: Organization,
  name: string,
): Promise<Result<Flow, { kind: 'flow-unknown'; org: string; name: string }>> {
  const state = await loadNewestByName(stores, flow, org.id, name);
  return state === null ? err({ kind: 'flow-unknown', org: org.name, name }) : ok(state);
}

/** Finds a trail of a flow. */
export async function findTrail(stores: Stores, org: Organization, flow: Flow, name: string) {
  const stream = streams.trail(flow.id, name);
  const state = await newest(stores, stream, await stores.documents.collection(trail.states).get(stream));
  if (state === null) return err({ kind: 'trail-unknown', name, org: org.name, flow: flow.name } as const);
  return ok<Trail>(state);
}
