import { setTimeout as sleep } from 'node:timers/promises';
import { each, insist } from '../load/ask.mjs';
import { pages, read } from '../load/audit.mjs';
import { artifactOf, fingerprintOf, LEAD_TIME, makeEnvironment, makeFlow, reportOf } from '../load/clients.mjs';
import { settled } from '../load/settled.mjs';

const FLOW = 'same-moment';
/** How long to wait for provenance in a snapshot (milliseconds). */
const KNOWN_MS = 30_000;

const CLIENTS = ['one', 'other'];

/**
 * Two clients repeatedly report an artifact to a flow, attest it and report its container to an environment, all at the same moment.
 *
 * @returns how many rounds stored everything once, something twice, or not everything
 */
export async function sameMoment({ stage, ledger, times }) {
  const onTry = (answer) => ledger.answered(answer);
  await makeFlow(stage, FLOW, onTry);
  const rounds = Array.from({ length: times }, (_, i) => ({
    name: `same-${i}`,
    fingerprint: fingerprintOf(`same ${i}`),
  }));
  ledger.acknowledged.set(FLOW, []);
  await each(rounds, async (round) => {
    await makeEnvironment(stage, round.name, onTry);
    const said = artifactOf(round.fingerprint);
    const artifact = () => insist(stage, 'POST', `/artifacts/ORG/${FLOW}`, said, onTry);
    const report = () =>
      insist(stage, 'PUT', `/environments/ORG/${round.name}/report/docker`, reportOf(round.fingerprint), onTry);
    const trail = `/attestations/ORG/${FLOW}/trail/${said.trail_name}`;
    const attest = (client) => insist(stage, 'POST', `${trail}/generic`, attestationOf(said, client), onTry);
    // Requests alternate between gateways, so each of the three kinds reaches both.
    const [one, other] = CLIENTS;
    const [a, b, , d, e] = await Promise.all([
      ...[artifact(), report(), attest(one)],
      ...[artifact(), report(), attest(other)],
    ]);
    round.first = [a, d].filter(({ status }) => status === 201).length;
    round.made = [b, e].filter(({ text }) => text.includes('snapshot 1 created')).length;
    ledger.acknowledge(FLOW, round.fingerprint);
  });
  // Duplicates would exist by now.
  await settled(stage);
  return judge(stage, ledger, rounds);
}

/** Attests the artifact of the trail, whether it is reported already or not. */
function attestationOf({ git_commit_info, template_reference_name }, client) {
  const form = new FormData();
  const target = { target_artifacts: [template_reference_name], git_commit_info };
  form.set('data_json', JSON.stringify({ attestation_name: `scan-${client}`, is_compliant: true, ...target }));
  return form;
}

async function judge(stage, ledger, rounds) {
  const ever = 'start_ts=0&end_ts=9999999999&per_page=50';
  const counts = { found: 0, doubled: 0, lost: 0 };
  const until = performance.now() + KNOWN_MS;
  await each(rounds, async ({ name, fingerprint, first, made }) => {
    const look = () =>
      Promise.all([
        pages(stage, (page) => `/deployments/ORG?env_name=${name}&${ever}&page=${page}`),
        read(stage, `/snapshots/ORG/${name}/-1`),
      ]);
    const isWhole = ([rows, { artifacts }]) =>
      artifacts[0].flows.length > 0 && rows.some((row) => row.lead_time >= LEAD_TIME);
    let seen = await look();
    for (; !isWhole(seen) && performance.now() < until; await sleep(100)) seen = await look();
    const [rows, { index, artifacts }] = seen;
    const [running] = artifacts;
    const named = (client) => read(stage, `/attestations/ORG/${FLOW}/artifact/${fingerprint}/scan-${client}`);
    const many = [first, made, ...(await Promise.all(CLIENTS.map(named))).map((list) => list.length)];
    const twice = Math.max(...many) > 1 || rows.length > 1 || index > 2 || running.flows.length > 1;
    const missing = Math.min(...many) < 1 || !isWhole(seen) || running.fingerprint !== fingerprint;
    if (twice) counts.doubled += 1;
    if (missing) counts.lost += 1;
    if (!twice && !missing) counts.found += 1;
    ledger.looked += 1;
  });
  return counts;
}
