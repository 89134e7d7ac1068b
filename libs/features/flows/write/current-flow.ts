import { streams } from '@assurance/contracts/events/streams';
import type { Flow } from '@assurance/contracts/flows/documents';
import type { Streams } from '@assurance/event-sourcing/command/streams';
import { flow } from '../domain/flow';

/**
 * Reads the present state of a flow. A decision on another stream reads it at each attempt, after its own stream, so that it sees a
 * template or an archive that was recorded meanwhile.
 *
 * @param id of a flow that exists
 */
export async function currentFlow(all: Pick<Streams, 'load'>, id: string): Promise<Flow> {
  const { state } = await all.load(flow, streams.flow(id));
  if (state === null) throw new Error(`the flow ${id} is gone`);
  return state;
}
