// Fills an organization of a running service as a middle-sized company does: 13 environments of all types, one of them logical and one with
// 300 artifacts, and 40 policies, with the long names that such companies give. For an organization without them.
//   node tools/demo/company.ts --key KEY [--url URL] [--org ORG]
// URL is http://localhost:8001 and ORG `admin` unless given.
import { parseArgs } from 'node:util';
import { each, form, mustAnswer, need, policyForm, range } from '../common/api.ts';
import { stop } from '../common/command.ts';
import { artifactOf, fingerprintOf } from '../common/made-up.ts';

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { key: text, url: text, org: text } });
const { key = stop('--key is missing'), url = 'http://localhost:8001', org = 'admin' } = values;
const api = { url, key, org };

const HOUR = 3600;
const until = Math.floor(Date.now() / 1000 / HOUR) * HOUR;
const ARTIFACTS = 300;
const POLICIES = 40;
const SNAPSHOTS = 12;
/** Seconds between two of them: the first is 60 days old. */
const BETWEEN = 132 * HOUR;
const BIG = 'payments-platform-production-eu-central-1';
const ENVIRONMENTS: readonly (readonly [name: string, type: string])[] = [
  [BIG, 'K8S'],
  ['payments-platform-production-us-east-1-disaster-recovery', 'K8S'],
  ['payments-staging', 'K8S'],
  ['identity_and_access_management_production', 'ECS'],
  ['identity-staging', 'ECS'],
  ['event-processing-functions', 'lambda'],
  ['static-assets.example.com', 'S3'],
  ['warehouse-hamburg-edge-servers', 'server'],
  ['developer-portal', 'docker'],
  ['reporting-web-apps', 'azure-apps'],
  ['nightly-batch-jobs-and-scheduled-reconciliation', 'cloud-run'],
  ['qa', 'docker'],
];
const SERVICES = [
  'checkout',
  'ledger-reconciliation',
  'customer-notification-preferences',
  'fraud-detection-model-serving',
];
const AUTHORS = ['Ada Lovelace <ada@example.com>', 'Maximiliane von Hohenstein-Württemberg <m.hohenstein@example.com>'];
const MESSAGES = [
  'Fix rounding of totals',
  'Retry card authorizations that the acquirer declined with a soft decline, at most three times within one hour',
];

const serviceOf = (i: number) => SERVICES[i % SERVICES.length] ?? '';
const imageOf = (i: number, version: number) =>
  `registry.example.com/payments/${serviceOf(i)}${i < SERVICES.length ? '' : `-${i}`}:2026.${version}.${i}-build.${4711 + i}`;
const digestOf = (i: number, version: number) => fingerprintOf(`company ${imageOf(i, version)}`);
const flowOf = (i: number) => `payments-${serviceOf(i)}`;

/** Two of three artifacts were built here; of the others nobody knows where they come from. */
const isBuilt = (i: number) => i % 3 !== 0;

async function build(i: number, version: number): Promise<void> {
  const committed = until - (SNAPSHOTS - version) * BETWEEN - (i + 2) * 60;
  const trail = `${serviceOf(i)}-${i}-release-2026.${version}.${i}`;
  const commit = {
    fingerprint: digestOf(i, version),
    filename: imageOf(i, version),
    trail,
    commit: trail,
    at: committed,
  };
  const artifact = artifactOf(commit);
  const { git_commit: sha1 } = artifact;
  const repository = `payments-platform-engineering/${serviceOf(i)}`;
  await need(api, 'POST', `/artifacts/{org}/${flowOf(i)}`, {
    ...artifact,
    build_url: `https://ci.example.com/${trail}`,
    commit_url: `https://git.example.com/${repository}/commit/${sha1}`,
    git_commit_info: {
      ...artifact.git_commit_info,
      message: MESSAGES[i % 2] ?? '',
      author: AUTHORS[i % 2] ?? '',
      branch: 'feature/PAY-4711-soft-declines',
    },
    repo_info: { name: repository, url: `https://git.example.com/${repository}`, provider: 'gitlab', id: serviceOf(i) },
  });
}

/** What runs in the large environment: with each snapshot some artifacts are newer. */
const versionOf = (i: number, snapshot: number) => (i % SNAPSHOTS < snapshot ? snapshot - (i % SNAPSHOTS) : 0);
const built = range(ARTIFACTS)
  .filter(isBuilt)
  .flatMap((i) =>
    [...new Set(range(SNAPSHOTS).map((snapshot) => versionOf(i, snapshot)))].map((version) => [i, version] as const),
  );

const item = (type: string, i: number, version: number, since: number) => ({
  digests: { [imageOf(i, version)]: digestOf(i, version) },
  creationTimestamp: since,
  ...(type === 'K8S' ? { podName: `${serviceOf(i)}-${i}-7d9c5b6f4-x2x7k`, namespace: 'payments-production' } : {}),
  ...(type === 'ECS' ? { taskArn: `arn:aws:ecs:eu-central-1:111122223333:task/identity/${i}${'0'.repeat(30)}` } : {}),
  ...(type === 'azure-apps' ? { app_name: serviceOf(i), app_kind: 'app,linux,container', digests_source: 'acr' } : {}),
  ...(type === 'cloud-run' ? { kind: 'job', jobName: `${serviceOf(i)}-nightly` } : {}),
});

const RULES = [
  '_schema: https://assurance.example.com/schemas/policy/v1\nartifacts:\n  provenance: { required: true }\n',
  '_schema: https://assurance.example.com/schemas/policy/v1\nartifacts:\n  trail-compliance: { required: true }\n  attestations:\n' +
    [
      ...['junit', 'pull_request', 'snyk', 'sonar', 'jira'].map((type) => `    - { type: ${type}, name: '*' }\n`),
      ...['approval', 'change-record'].map((name) => `    - { type: generic, name: ${name} }\n`),
    ].join(''),
];
const policyOf = (i: number) =>
  i % 4 === 0 ? `payment-card-industry-requirement-${i}-change-management-and-approval` : `policy-${i}`;

const started = Date.now();
const say = (what: string) => console.error(`${((Date.now() - started) / 1000).toFixed(1)} s: ${what}`);

await mustAnswer(url);
for (const i of range(SERVICES.length)) {
  const description = `Builds of ${serviceOf(i)}, released by the payments platform team on every working day`;
  await need(api, 'PUT', '/flows/{org}/template_file', form({ name: flowOf(i), description }));
}
await each(built, ([i, version]) => build(i, version));
say(`${built.length} builds`);
await each(range(POLICIES), async (i) => {
  const description =
    i % 2 === 0 ? '' : 'Changes of systems that hold card data are reviewed, tested and approved before they run';
  await need(
    api,
    'PUT',
    '/policies/{org}',
    policyForm(policyOf(i), RULES[i % 2] ?? '', { description, comment: 'First' }),
  );
});
say(`${POLICIES} policies`);
for (const [name, type] of ENVIRONMENTS) {
  await need(api, 'PUT', '/environments/{org}', { name, type, description: `Where ${name} runs, for all customers` });
}
await need(api, 'PUT', '/environments/{org}', {
  ...{ name: 'everything-that-customers-meet', type: 'logical' },
  included_environments: ENVIRONMENTS.map(([name]) => name),
});
await need(api, 'POST', `/environments/{org}/${BIG}/policies`, { policy_names: range(8).map(policyOf) });
await need(api, 'POST', '/environments/{org}/qa/policies', { policy_names: [policyOf(1)] });
for (const snapshot of range(SNAPSHOTS)) {
  const at = until - (SNAPSHOTS - 1 - snapshot) * BETWEEN;
  const running = range(ARTIFACTS).map((i) => item('K8S', i, versionOf(i, snapshot), at - 60));
  await need(api, 'PUT', `/environments/{org}/${BIG}/report/K8S?observed_at=${at}`, { artifacts: running });
}
await each(ENVIRONMENTS.slice(1), ([name, type]) =>
  need(api, 'PUT', `/environments/{org}/${name}/report/${type}`, {
    artifacts: range(5).map((i) => item(type, i, versionOf(i, 9), until)),
  }),
);
say(`${ENVIRONMENTS.length + 1} environments`);
await need(api, 'PUT', '/organizations/{org}/environments_notifications', {
  name: 'payments-platform-on-call-engineers',
  triggers: ['ON_NON_COMPLIANT_ENV', 'ON_COMPLIANT_ENV', 'ON_STALE_ENV'],
  environments: ENVIRONMENTS.map(([name]) => name),
  targets: [{ type: 'EMAIL', emails: 'payments-platform-on-call-engineers@example.com' }],
});
