import { keyOf } from '../../support/declared';
import { digest, environment } from '../../support/samples';
import type { Attack, Target } from '../attack';

const AT_ONCE = 8;
const ARTIFACTS = 20_000;

/** 20,000 changed artifacts eight times at once: others' writes once waited for 6.6 s. */
export const attack: Attack = {
  name: `${AT_ONCE} reports of ${ARTIFACTS} changed artifacts come at once`,
  onServices: true,
  leavesWork: true,
  async prepare(target) {
    const envs: string[] = [];
    for (let i = 0; i < AT_ONCE; i += 1) envs.push(await environment(target.as('member')));
    const bodies = envs.map(bodyOf);
    return {
      run: async () => {
        await Promise.all(envs.map((env, i) => report(target, env, bodies[i] ?? '')));
      },
    };
  },
};

function bodyOf(env: string): string {
  const item = (i: number) => `{"digests":{"shop/web-${i}:1.4":"${digest(`${env} ${i}`)}"},"creationTimestamp":1}`;
  return `{"artifacts":[${Array.from({ length: ARTIFACTS }, (_, i) => item(i)).join()}]}`;
}

/** It may take longer than a `Caller` waits. */
async function report({ url }: Target, env: string, body: string): Promise<void> {
  const answer = await fetch(`${url}/api/v2/environments/acme/${env}/report/docker`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${keyOf('member')}`, 'content-type': 'application/json' },
    body,
  });
  // A caller above its share is asked to retry.
  if (![200, 429].includes(answer.status))
    throw new Error(`a report was answered ${answer.status}: ${await answer.text()}`);
}
