import { setTimeout as sleep } from 'node:timers/promises';
import { each, insist } from '../load/ask.mjs';
import { read } from '../load/audit.mjs';
import { fingerprintOf, makeEnvironment, reportOf } from '../load/clients.mjs';
import { DUE, JUDGED_MS, settled } from '../load/settled.mjs';

const POLICY = 'changed';
const CLIENTS = 8;

/**
 * Creates a new version of a policy that is attached to many environments with many artifacts, while clients report to others.
 *
 * @returns how many environments have exactly one new snapshot with the verdict of the new version; how long the clients' reports took before
 *   and meanwhile; and the metric of due environments
 */
export async function policyChanged({ stage, ledger, environments, artifacts, seconds }) {
  const onTry = (answer) => ledger.answered(answer);
  const put = (path, body) => insist(stage, 'PUT', path, body, onTry);
  const names = Array.from({ length: environments }, (_, i) => `held-${i}`);
  await put('/policies/ORG', policyForm(false));
  await each(names, async (name) => {
    await makeEnvironment(stage, name, onTry);
    await insist(stage, 'POST', `/environments/ORG/${name}/policies`, { policy_names: [POLICY] }, onTry);
    await put(`/environments/ORG/${name}/report/docker`, many(name, artifacts));
  });
  await settled(stage);

  const clients = await reporting(stage, ledger, onTry);
  await sleep(seconds * 1_000);
  const before = clients.taken();
  const begun = performance.now();
  await put('/policies/ORG', policyForm(true));
  ledger.acknowledged.set(POLICY, []);
  for (const name of names) ledger.acknowledge(POLICY, name);
  const seen = await untilJudged(stage, names, begun);
  const took = (performance.now() - begun) / 1_000;
  const meanwhile = clients.taken();
  await clients.stop();
  await settled(stage);

  const counts = { found: 0, doubled: 0, lost: 0 };
  await each(names, async (name) => {
    const { index, compliant, applied_policies: applied } = await read(stage, `/snapshots/ORG/${name}/-1`);
    if (index > 2) counts.doubled += 1;
    else if (index === 2 && compliant === false && applied[0]?.version === 2) counts.found += 1;
    else counts.lost += 1;
  });
  const told = [
    `${environments} environments of ${artifacts} judged again in ${took.toFixed(1)} s`,
    `reports meanwhile p50 ${beside(meanwhile, before, 0.5)}, p99 ${beside(meanwhile, before, 0.99)}`,
    `due environments seen: ${thinned(seen).join(', ')}`,
  ].join('; ');
  return { ...counts, told };
}

/** JSON is valid YAML. */
function policyForm(required) {
  const form = new FormData();
  form.set('payload', JSON.stringify({ name: POLICY, description: '', comment: '', type: 'env' }));
  const text = JSON.stringify({ _schema: 'https://example.com/v1', artifacts: { provenance: { required } } });
  form.set('policy_file', new Blob([text], { type: 'application/octet-stream' }), 'policy.yml');
  return form;
}

function many(name, count) {
  return { artifacts: Array.from({ length: count }, (_, i) => reportOf(fingerprintOf(`${name} ${i}`)).artifacts[0]) };
}

/** Clients that each report new artifacts to their own environment in a loop. */
async function reporting(stage, ledger, onTry) {
  const own = Array.from({ length: CLIENTS }, (_, i) => `beside-${i}`);
  for (const name of own) await makeEnvironment(stage, name, onTry);
  let [over, times] = [false, []];
  ledger.last.reports = performance.now();
  const all = own.map(async (name) => {
    for (let i = 0; !over; i += 1) {
      const body = reportOf(fingerprintOf(`${name} ${i}`));
      const { ms } = await insist(stage, 'PUT', `/environments/ORG/${name}/report/docker`, body, onTry);
      ledger.served('reports');
      times.push(ms);
    }
  });
  return {
    /** How long reports took since the last call, sorted (milliseconds). */
    taken() {
      const taken = times.toSorted((a, b) => a - b);
      times = [];
      return taken;
    },
    async stop() {
      over = true;
      await Promise.all(all);
    },
  };
}

/** Waits until no environment is due and each of these has been judged. Returns how many were due at each look. */
async function untilJudged(stage, names, begun) {
  const left = new Set(names);
  const seen = [];
  for (;;) {
    const due = await stage.ingestion[0].figure(DUE);
    seen.push(due);
    if (due === 0) {
      for (const name of left) {
        if ((await read(stage, `/snapshots/ORG/${name}/-1`)).index === 1) break;
        left.delete(name);
      }
    }
    if (left.size === 0 || performance.now() - begun > JUDGED_MS) return seen;
    await sleep(200);
  }
}

function beside(meanwhile, before, share) {
  const at = (sorted) => sorted[Math.ceil(sorted.length * share) - 1] ?? NaN;
  return `${at(meanwhile).toFixed(0)} ms, ${(at(meanwhile) / at(before)).toFixed(1)} times the value before`;
}

/** At most ten values, with the first and the last one. */
function thinned(seen) {
  const step = Math.max(1, Math.ceil((seen.length - 1) / 9));
  return seen.filter((_, i) => i % step === 0 || i === seen.length - 1);
}
