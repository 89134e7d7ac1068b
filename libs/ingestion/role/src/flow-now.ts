import { streams } from '@assurance/contracts-events';
import { flow, type Flow } from '@assurance/model';
import type { Streams } from './streams';

/**
 * A flow as it stands now. What is decided on another stream by it reads it at each attempt, after that stream: a template or an archive that came
 * between is then seen.
 *
 * @param id of a flow that exists
 */
export async function flowNow(all: Pick<Streams, 'load'>, id: string): Promise<Flow> {
  const { state } = await all.load(flow, streams.flow(id));
  if (state === null) throw new Error(`the flow ${id} is gone`);
  return state;
}
