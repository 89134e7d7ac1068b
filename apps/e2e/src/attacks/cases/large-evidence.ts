import { keyOf } from '../../support/declared';
import { fresh } from '../../support/samples';
import type { Attack, Target } from '../attack';

const AT_ONCE = 8;
const MiB = 1024 * 1024;
const TRIES = 3;

/** Payloads of 15 MiB come at once: of many values far below the top, and of one text. Each is parsed off the main thread. */
export const attack: Attack = {
  name: `${AT_ONCE} attestations of 15 MiB come at once, and are read`,
  leavesWork: true,
  prepare: async (target) => {
    const member = target.as('member');
    const finding =
      '{"id":"CVE-1","score":12345678901234567890,"title":"A finding in some words, as scanners write them"}';
    const findings = Array.from({ length: Math.floor((15 * MiB) / (finding.length + 1)) }, () => finding).join();
    const payloads = [`{"a":{"b":{"c":{"d":{"e":[${findings}]}}}}}`, `"${'x'.repeat(15 * MiB)}"`];
    const flows = Array.from({ length: AT_ONCE }, () => fresh('flow'));
    await member.send('GET', '/flows/acme');
    return {
      run: async () => {
        await Promise.all(flows.map((flow, i) => attest(target, flow, payloads[i % payloads.length] ?? '')));
        for (const flow of flows.slice(0, 2)) await member.send('GET', `/attestations/acme/${flow}/trail/build-1/a`);
      },
    };
  },
};

/** It may take longer than a `Caller` waits. A caller above its share tries again. */
async function attest({ url }: Target, flow: string, userData: string): Promise<void> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const body = new FormData();
    body.set('data_json', `{"attestation_name":"a","is_compliant":true,"user_data":${userData}}`);
    const answer = await fetch(`${url}/api/v2/attestations/acme/${flow}/trail/build-1/generic`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keyOf('member')}` },
      body,
      // A body above its sender's share is refused while it is sent: the connection may end before all of it is.
    }).catch(() => null);
    if (answer === null) continue;
    const text = await answer.text();
    if (answer.status === 201) return;
    if (answer.status !== 429) throw new Error(`an attestation was answered ${answer.status}: ${text}`);
  }
}
