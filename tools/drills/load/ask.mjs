import { setTimeout as sleep } from 'node:timers/promises';
import { ORG } from '../stage/stage.mjs';

/** How long to wait for an answer: longer than a gateway waits for a silent service (milliseconds). */
const PATIENCE_MS = 45_000;

/** An answer; `status` is 0 if none came. */
export async function ask(url, key, method, path, body) {
  const begun = performance.now();
  const form = body instanceof FormData;
  try {
    const answer = await fetch(`${url}/api/v2${path.replace('ORG', ORG)}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(form || body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: form || body === undefined ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, ms: performance.now() - begun };
  } catch (fault) {
    return { status: 0, headers: new Headers(), text: String(fault), ms: performance.now() - begun };
  }
}

/** How many calls run at once. */
const AT_ONCE = 8;

/** Calls a function for each item, several at once. */
export async function each(items, act) {
  let next = 0;
  const worker = async () => {
    while (next < items.length) await act(items[next++]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** The next gateway. */
export function nextUrl(stage) {
  stage.turn = ((stage.turn ?? 0) + 1) % stage.gateway.length;
  return stage.gateway[stage.turn].url;
}

/**
 * Sends a request to the gateways in turn until one answers without a failure of the service.
 *
 * @param {(answer: object) => void} onTry called with every answer
 * @throws for an answer that blames the caller
 */
export async function insist(stage, method, path, body, onTry) {
  for (let tries = 1; ; tries += 1) {
    const answer = await ask(nextUrl(stage), stage.keys.writer, method, path, body);
    onTry(answer);
    if (answer.status >= 200 && answer.status < 300) return { ...answer, tries };
    // 409: other commands were faster too often. The caller may repeat it.
    if (answer.status !== 0 && answer.status !== 409 && answer.status < 500)
      throw new Error(`${method} ${path} was answered ${answer.status}: ${answer.text}`);
    await sleep(50);
  }
}
