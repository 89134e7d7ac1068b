import { setTimeout } from 'node:timers/promises';
import type { Caller } from '../../support/caller';
import { fresh } from '../../support/samples';
import type { Attack } from '../attack';

const SENT = 100;
const WHILE_MS = 6_000;
/** How often the other organization has a rule of its own run meanwhile, and the longest that it may wait: seen were 300 s. */
const ASKED = 5;
const WAIT_MAX_MS = 5_000;
/** How often a type is sent until it is taken, and the pause between (milliseconds). */
const TRIES_MAX = 5;
const PAUSE_MS = 3_000;

/** jq rules that never end, sent by many requests at once. */
export const attack: Attack = {
  name: 'a hundred attestations come whose rules never end',
  leavesWork: true,
  async prepare({ as, bystander }) {
    const caller = as('member');
    const [endless, quick] = [fresh('endless'), fresh('quick')];
    await type(caller, 'acme', endless, 'def f: f; f');
    await type(bystander, 'other', quick, '.coverage >= 80');
    return {
      async run() {
        const all = Array.from({ length: SENT }, async () => {
          const answer = await attest(caller, 'acme', endless);
          if (![400, 429].includes(answer.status)) throw new Error(`an endless rule was answered ${answer.text}`);
        });
        // Whoever is ended with the test is not waited for.
        const attacked = Promise.race([Promise.all(all), setTimeout(WHILE_MS)]);
        for (let i = 0; i < ASKED; i += 1) {
          const began = performance.now();
          const answer = await attest(bystander, 'other', quick);
          const waited = performance.now() - began;
          if (answer.status !== 201) throw new Error(`a rule of another organization was answered ${answer.text}`);
          if (waited > WAIT_MAX_MS) throw new Error(`a rule of another organization waited ${waited.toFixed()} ms`);
        }
        await attacked;
        await Promise.allSettled(all);
      },
    };
  },
};

/** Makes a custom type with a rule. What an attack before left in the organization's queue has to be worked on first. */
async function type(caller: Caller, org: string, name: string, rule: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const form = formOf({ name, evaluator: { content_type: 'jq', rules: [rule] } });
    const sent = caller.send('POST', `/custom-attestation-types/${org}`, { form });
    const status = await sent.then((answer) => answer.status).catch(() => 0);
    if (status === 200 || status === 201) return;
    if (tries === TRIES_MAX) throw new Error(`a custom type was answered ${status}`);
    await setTimeout(PAUSE_MS);
  }
}

function attest(caller: Caller, org: string, type_name: string) {
  const form = formOf({ attestation_name: 'cov', type_name, attestation_data: { coverage: 81 } });
  return caller.send('POST', `/attestations/${org}/${type_name}/trail/build/custom`, { form });
}

function formOf(data: object): FormData {
  const form = new FormData();
  form.set('data_json', JSON.stringify(data));
  return form;
}
