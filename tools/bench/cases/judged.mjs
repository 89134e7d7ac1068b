import { createHash } from 'node:crypto';
import { against } from '../measure/against.mjs';
import { fingerprintOf, range } from '../measure/bodies.mjs';
import { call, inParallel, makeEnvironments, reportPath } from '../measure/client.mjs';
import { load, request } from '../measure/load.mjs';
import { alternate } from '../measure/rounds.mjs';
import { ORG, startService } from '../measure/service.mjs';

const FLOW = 'judged';
const POLICIES = 5;
/** Rules on attestations. With those on provenance and on trails a policy has ten. */
const ATTESTED = range(8);
const CONNECTIONS = 8;
const WARM = 2;
const SCHEMA = 'https://assurance.example.com/schemas/policy/v1';

/**
 * Compares changed reports of environments under five policies of ten rules with the same reports of environments without policies. Each artifact has
 * a trail with eight attestations. A report replaces one artifact, or all of them by others
 * under new names, so that no cached verdict applies.
 */
export async function judged({ rounds, seconds, judged: count, say }) {
  const services = { judged: await startService(), plain: await startService() };
  try {
    for (const [name, service] of Object.entries(services)) {
      say(`${name}: ${2 * count} artifacts with their evidence`);
      await tellOf(service, 2 * count);
      await makeEnvironments(service, environments());
      if (name === 'judged') await attach(service);
      await service.settled();
    }
    const results = [];
    for (const kind of ['one', 'all']) {
      const contenders = Object.fromEntries(
        Object.entries(services).map(([name, service]) => [name, contender(service, kind, count, seconds)]),
      );
      for (let warm = 0; warm < WARM; warm += 1) for (const { run } of Object.values(contenders)) await run();
      for (const { settle } of Object.values(contenders)) await settle();
      const all = await alternate({ rounds, say: (text) => say(`${kind}: ${text}`) }, contenders);
      const row = { rival: 'without policies', ...against(all, 'judged', 'plain') };
      const name = `judged reports of ${count}, ${kind} changed`;
      results.push({ name, rows: [{ name, ...row }], cpuRatio: row.cpuRatio, rounds: all });
    }
    return results;
  } finally {
    for (const { stop } of Object.values(services)) await stop();
  }
}

const environments = () => range(CONNECTIONS).map((i) => `judged-${i}`);

function contender({ pid, url, writer, settled }, kind, count, seconds) {
  // Each connection has its own environment.
  const turns = range(CONNECTIONS).map(() => 0);
  const next = (connection) => {
    const turn = (turns[connection] += 1);
    const others = (turn % 2) * count;
    const numbers =
      kind === 'one' ? [...range(count - 1), count - 1 + (turn % 2)] : range(count).map((i) => i + others);
    const tag = kind === 'one' ? 'stays' : `${connection}-${turn}`;
    const artifacts = numbers.map((number) => ({
      digests: { [`registry.example.com/shop/service-${number}:${tag}`]: fingerprintOf(number) },
      creationTimestamp: 1_700_000_000,
    }));
    const body = Buffer.from(JSON.stringify({ artifacts }));
    return request('PUT', reportPath(`judged-${connection}`), writer, body);
  };
  const plan = { connections: CONNECTIONS, seconds, least: CONNECTIONS, next, expect: /snapshot \d+ created/ };
  return { pid, run: () => load(url, plan), settle: settled };
}

/** Reports each artifact in its own trail, with the attestations that the policies require. */
async function tellOf(service, count) {
  await call(service, 'PUT', `/flows/${ORG}`, { name: FLOW, description: '', template: ['artifact'] });
  await call(service, 'PATCH', `/tags/${ORG}/flow/${FLOW}`, { set_tags: { kind: 'build', tier: '2' } });
  await inParallel(count, 8, async (number) => {
    const commit = createHash('sha1').update(String(number)).digest('hex');
    await call(service, 'POST', `/artifacts/${ORG}/${FLOW}`, {
      fingerprint: fingerprintOf(number),
      filename: `shop/service-${number}`,
      git_commit: commit,
      build_url: 'https://ci.example.com/1',
      commit_url: `https://github.com/bench/shop/commit/${commit}`,
      repo_url: '',
      trail_name: `build-${number}`,
      template_reference_name: 'artifact',
    });
    for (const i of ATTESTED) await attest(service, `build-${number}`, `check-${i}`);
  });
}

async function attest({ url, writer }, trail, name) {
  const form = new FormData();
  form.set('data_json', JSON.stringify({ attestation_name: name, is_compliant: true }));
  await send(url, writer, 'POST', `/attestations/${ORG}/${FLOW}/trail/${trail}/generic`, form);
}

/** Attaches five policies of ten rules to every environment. */
async function attach(service) {
  const names = range(POLICIES).map((i) => `policy-${i}`);
  for (const name of names) {
    const form = new FormData();
    form.set('payload', JSON.stringify({ name, description: '', comment: '', type: 'env' }));
    form.set('policy_file', new Blob([policyText()], { type: 'application/octet-stream' }), 'policy.yml');
    await send(service.url, service.writer, 'PUT', `/policies/${ORG}`, form);
  }
  for (const environment of environments())
    await call(service, 'POST', `/environments/${ORG}/${environment}/policies`, { policy_names: names });
}

/** JSON is valid YAML. */
function policyText() {
  const exceptions = [{ if: 'flow.tags.kind == "hotfix" or artifact.name == "shop/tool"' }];
  const attestations = ATTESTED.map((i) => ({
    name: `check-${i}`,
    type: 'generic',
    if: i % 2 === 0 ? 'flow.tags.kind == "build" and flow.tags.tier > 1' : 'matches(artifact.name, "service-[0-9]+")',
  }));
  const artifacts = {
    provenance: { required: true, exceptions },
    'trail-compliance': { required: true, exceptions },
    attestations,
  };
  return JSON.stringify({ _schema: SCHEMA, artifacts });
}

async function send(url, key, method, path, form) {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${url}/api/v2${path}`, { method, headers, body: form });
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`);
}
