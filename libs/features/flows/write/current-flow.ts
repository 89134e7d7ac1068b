import { streams } from '@assurance/contracts/events/streams';
import type { Flow } from '@assurance/contracts/flows/documents';
import type { Streams } from '@assurance/event-sourcing/command/streams';
import { flow } from '../domain/flow';

/**
 * Reads the current state of a flow. A decision on another stream calls it in each attempt, after it read its own stream. So it sees a template or an
 * archival that was recorded meanwhile.
 *
 * @param id the id of an existing flow
 */
export async function currentFlow(all: Pick<Streams, 'load'>, id: string): Promise<Flow> {
  const { state } = await all.load(flow, streams.flow(id));
  if (state === null) throw new Error(`the flow ${id} is gone`);
  return state;
}
