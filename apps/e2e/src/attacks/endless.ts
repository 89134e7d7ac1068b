import { setTimeout } from 'node:timers/promises';
import type { Caller } from '../support/caller';

/** The longest that a rule of another organization may wait meanwhile (milliseconds): seen were 300 s. */
const WAIT_MAX_MS = 5_000;
/** How often a type is sent until it is taken, and the pause between (milliseconds). */
const TRIES_MAX = 5;
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

export function attest(caller: Caller, org: string, type_name: string) {
  const form = formOf({ attestation_name: 'cov', type_name, attestation_data: { coverage: 81 } });
  return caller.send('POST', `/attestations/${org}/${type_name}/trail/build/custom`, { form });
}

/** Runs a rule of another organization the given number of times, one after another. @throws Error when one is refused or waits too long */
export async function askMeanwhile(bystander: Caller, quick: string, times: number): Promise<void> {
  for (let i = 0; i < times; i += 1) {
    const began = performance.now();
    const answer = await attest(bystander, 'other', quick);
    const waited = performance.now() - began;
    if (answer.status !== 201) throw new Error(`a rule of another organization was answered ${answer.text}`);
    if (waited > WAIT_MAX_MS) throw new Error(`a rule of another organization waited ${waited.toFixed()} ms`);
  }
}

/** A form of the kind that attestations and their types come in. */
export function formOf(data: object): FormData {
  const form = new FormData();
  form.set('data_json', JSON.stringify(data));
  return form;
}
