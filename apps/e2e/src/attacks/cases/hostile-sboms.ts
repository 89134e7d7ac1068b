import { hostileSboms, type HostileSbom } from '../../support/hostile-sboms';
import { flow, sbomForm } from '../../support/samples';
import { keyOf } from '../../support/declared';
import type { Attack, Target } from '../attack';

const AT_ONCE = 3;
const TRIES = 5;

/** A thread reads each document. Deep nesting and entities end the reading early. A list that is too long is refused. The rest is recorded in parts. */
export const attack: Attack = {
  name: 'bills of materials come that are nested, endless, full of entities, or name packages with control characters',
  leavesWork: true,
  afresh: true,
  async prepare(target) {
    const flowName = await flow(target.as('member'));
    const files = hostileSboms(1);
    return {
      async run() {
        const waiting = [...files];
        const sender = async () => {
          for (let file = waiting.shift(); file !== undefined; file = waiting.shift())
            await send(target, flowName, file);
        };
        await Promise.all(Array.from({ length: AT_ONCE }, sender));
      },
    };
  },
};

/** It may take longer than a `Caller` waits. A caller above its share tries again. */
async function send({ url }: Target, flowName: string, { name, content, status }: HostileSbom): Promise<void> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const answer = await fetch(`${url}/api/v2/attestations/acme/${flowName}/trail/build-1/system`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keyOf('member')}` },
      body: sbomForm(content),
      // A body above its sender's share is refused while it is sent: the connection may end before all of it is.
    }).catch(() => null);
    if (answer === null || answer.status === 429) continue;
    const text = await answer.text();
    if (answer.status !== status) throw new Error(`${name} was answered ${answer.status}: ${text.slice(0, 500)}`);
    return;
  }
}
