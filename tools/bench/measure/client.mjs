import { ORG } from './service.mjs';

const JSON_TYPE = { 'content-type': 'application/json' };

/** Sends one request that is not measured, and closes its connection: a service that is asked to end waits for open ones. */
export async function call({ url, writer }, method, path, body) {
  const answer = await fetch(`${url}/api/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${writer}`, connection: 'close', ...(body === undefined ? {} : JSON_TYPE) },
    body: typeof body === 'string' || body instanceof Buffer || body === undefined ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}

/** Runs `task` for 0 to `count - 1` with limited concurrency. */
export async function inParallel(count, atOnce, task) {
  let next = 0;
  const worker = async () => {
    while (next < count) await task(next++);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
}

/** Makes environments of these names. */
export async function makeEnvironments(service, names) {
  await inParallel(names.length, 16, (i) =>
    call(service, 'PUT', `/environments/${ORG}`, { name: names[i], type: 'docker' }),
  );
}

/** Reports that nothing ran at some time (epoch seconds), so that what runs later counts as a deployment. */
export function reportNothing(service, environment, at) {
  const path = `${reportPath(environment).replace('/api/v2', '')}?observed_at=${at}`;
  return call(service, 'PUT', path, { artifacts: [] });
}

export function reportPath(environment) {
  return `/api/v2/environments/${ORG}/${environment}/report/docker`;
}
