import { orderBy } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import { type Documents, getAll } from '@assurance/storage-ports';
import { flow as flows } from '../domain/flow';

/** A flow with its name of the time of a record. */
export interface RecordedFlow {
  readonly id: string;
  readonly name: string;
}

/** The present name of a flow. */
export type FlowNameOf = (flow: RecordedFlow) => string;

/**
 * The present names of flows. Answers and addresses have these, because another flow may have a recorded name now. An erased flow keeps its
 * recorded name.
 *
 * @param documents with the states of flows
 */
export async function flowNames(documents: Documents, recordedFlows: Iterable<RecordedFlow>): Promise<FlowNameOf> {
  const ids = new Set<string>();
  for (const { id } of recordedFlows) ids.add(id);
  const states = await getAll(documents.collection(flows.states), [...ids].map(streams.flow));
  const names = new Map([...states.values()].map(({ id, name }) => [id, name]));
  return ({ id, name }) => names.get(id) ?? name;
}

/**
 * When a flow of an organization changed last: other names come with another time.
 *
 * @returns integer milliseconds; 0 without flows
 */
export async function lastFlowChange(documents: Documents, org: string): Promise<number> {
  const order = orderBy('-lastModifiedAt');
  const [newest] = await documents.collection(flows.states).find({ where: { org }, order, limit: 1 });
  return newest?.doc.lastModifiedAt ?? 0;
}
