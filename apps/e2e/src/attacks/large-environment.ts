import { keyOf } from '../support/declared';
import { digest, environment } from '../support/samples';
import type { Target } from './attack';

const ARTIFACTS = 20_000;
const SNAPSHOTS = 4;

const cache = new WeakMap<Target, Promise<string>>();

/** An environment of `acme` with some snapshots of 20,000 artifacts; all attacks on a service share it. */
export function largeEnvironment(target: Target): Promise<string> {
  const cached = cache.get(target) ?? make(target);
  cache.set(target, cached);
  return cached;
}

async function make(target: Target): Promise<string> {
  const env = await environment(target.as('member'));
  for (let snapshot = 1; snapshot <= SNAPSHOTS; snapshot += 1) {
    const item = (i: number) =>
      `{"digests":{"shop/web-${i}:1.4":"${digest(i < snapshot ? `${env} ${snapshot} ${i}` : `${env} ${i}`)}"},"creationTimestamp":1700000000}`;
    const answer = await fetch(`${target.url}/api/v2/environments/acme/${env}/report/docker`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${keyOf('member')}`, 'content-type': 'application/json' },
      body: `{"artifacts":[${Array.from({ length: ARTIFACTS }, (_, i) => item(i)).join()}]}`,
    });
    if (answer.status !== 200) throw new Error(`a report was answered ${answer.status}: ${await answer.text()}`);
  }
  return env;
}
