import { setTimeout } from 'node:timers/promises';
import type { Caller } from '../support/caller';
import type { ProbeResult } from './probe/call';

/** How often a type is sent until it is taken, and the pause between (milliseconds). */
const TRIES_MAX = 60;
const PAUSE_MS = 3_000;

/** A rule that never ends. */
export const ENDLESS = 'def f: f; f';

/** Makes a custom type with a rule. What an attack before left in the organization's queue has to be worked on first. */
export async function typeWith(caller: Caller, org: string, name: string, rule: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const form = formOf({ name, evaluator: { content_type: 'jq', rules: [rule] } });
    const sent = caller.send('POST', `/custom-attestation-types/${org}`, { form });
    const status = await sent.then((answer) => answer.status).catch(() => 0);
    if (status === 200 || status === 201) return;
    if (tries === TRIES_MAX) throw new Error(`a custom type was answered ${status}`);
    await setTimeout(PAUSE_MS);
  }
}

export function attest(caller: Caller, org: string, type_name: string, signal?: AbortSignal) {
  const form = formOf({ attestation_name: 'cov', type_name, attestation_data: { coverage: 81 } });
  return caller.send('POST', `/attestations/${org}/${type_name}/trail/build/custom`, { form, signal });
}

/**
 * Sends data for an endless rule.
 *
 * @param signal the caller waits no longer
 * @returns the status; null when the caller gave up waiting, which is its own affair
 * @throws Error when it is neither refused nor told to wait
 */
export async function attestEndless(
  caller: Caller,
  org: string,
  type_name: string,
  signal: AbortSignal,
): Promise<number | null> {
  const answer = await attest(caller, org, type_name, signal).catch((fault: Error) => {
    if (signal.aborted) return null;
    throw fault;
  });
  if (answer === null || [400, 429].includes(answer.status)) return answer?.status ?? null;
  throw new Error(`an endless rule was answered ${answer.text}`);
}

/**
 * Runs a rule of another organization the given number of times, one after another.
 *
 * @returns how long each waited
 * @throws Error when one is refused
 */
export async function askMeanwhile(bystander: Caller, quick: string, times: number): Promise<ProbeResult> {
  const during: [number, number][] = [];
  for (let i = 0; i < times; i += 1) {
    const at = Date.now();
    const answer = await attest(bystander, 'other', quick);
    during.push([at, Date.now() - at]);
    if (answer.status !== 201) throw new Error(`a rule of another organization was answered ${answer.text}`);
  }
  return { name: 'rule', before: 0, during, refused: {} };
}

/** A form of the kind that attestations and their types come in. */
export function formOf(data: object): FormData {
  const form = new FormData();
  form.set('data_json', JSON.stringify(data));
  return form;
}
