import { artifact, digest, policyYaml, PROVENANCE, sha1 } from '../../support/samples';
import { each, range } from './at-once';
import type { Shop } from './shop';

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
const digestOf = (i: number, version: number) => digest(`company ${imageOf(i, version)}`);

/** Two of three artifacts were built here. The origin of the others is unknown. */
const isBuilt = (i: number) => i % 3 !== 0;

function built(i: number, version: number) {
  const trail = `${serviceOf(i)}-${i}-release-2026.${version}.${i}`;
  const repository = `payments-platform-engineering/${serviceOf(i)}`;
  const commit = sha1(trail);
  return artifact(digestOf(i, version), {
    filename: imageOf(i, version),
    trail_name: trail,
    git_commit: commit,
    build_url: `https://ci.example.com/${trail}`,
    commit_url: `https://git.example.com/${repository}/commit/${commit}`,
    git_commit_info: {
      sha1: commit,
      message: MESSAGES[i % 2],
      author: AUTHORS[i % 2],
      branch: 'feature/PAY-4711-soft-declines',
      timestamp: until - (SNAPSHOTS - version) * BETWEEN - (i + 2) * 60,
    },
    repo_info: { name: repository, url: `https://git.example.com/${repository}`, provider: 'gitlab', id: serviceOf(i) },
  });
}

/** What runs in the large environment: with each snapshot some artifacts are newer. */
const versionOf = (i: number, snapshot: number) => (i % SNAPSHOTS < snapshot ? snapshot - (i % SNAPSHOTS) : 0);
const BUILDS = range(ARTIFACTS)
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
  PROVENANCE,
  policyYaml(
    '  trail-compliance: { required: true }\n  attestations:\n' +
      [
        ...['junit', 'pull_request', 'snyk', 'sonar', 'jira'].map((type) => `    - { type: ${type}, name: '*' }\n`),
        ...['approval', 'change-record'].map((name) => `    - { type: generic, name: ${name} }\n`),
      ].join(''),
  ),
];
const policyOf = (i: number) =>
  i % 4 === 0 ? `payment-card-industry-requirement-${i}-change-management-and-approval` : `policy-${i}`;

/**
 * Fills the organization `admin` as a middle-sized company does: 13 environments of all types, one of them logical and one with 300 artifacts, and
 * 40 policies, with the long names that such companies give.
 */
export async function fillCompany({ ask, form }: Shop): Promise<void> {
  for (const name of SERVICES) {
    const description = `Builds of ${name}, released by the payments platform team on every working day`;
    await form('PUT', '/flows/admin/template_file', { name: `payments-${name}`, description });
  }
  await each(BUILDS, ([i, version]) => ask('POST', `/artifacts/admin/payments-${serviceOf(i)}`, built(i, version)));
  await each(range(POLICIES), (i) => {
    const description =
      i % 2 === 0 ? '' : 'Changes of systems that hold card data are reviewed, tested and approved before they run';
    const policy = { name: policyOf(i), description, comment: 'First', type: 'env' };
    return form('PUT', '/policies/admin', policy, { field: 'policy_file', text: RULES[i % 2] ?? '' });
  });
  for (const [name, type] of ENVIRONMENTS) {
    await ask('PUT', '/environments/admin', { name, type, description: `Where ${name} runs, for all customers` });
  }
  const names = ENVIRONMENTS.map(([name]) => name);
  const logical = { name: 'everything-that-customers-meet', type: 'logical', included_environments: names };
  await ask('PUT', '/environments/admin', logical);
  await ask('POST', `/environments/admin/${BIG}/policies`, { policy_names: range(8).map(policyOf) });
  await ask('POST', '/environments/admin/qa/policies', { policy_names: [policyOf(1)] });
  for (const snapshot of range(SNAPSHOTS)) {
    const at = until - (SNAPSHOTS - 1 - snapshot) * BETWEEN;
    const artifacts = range(ARTIFACTS).map((i) => item('K8S', i, versionOf(i, snapshot), at - 60));
    await ask('PUT', `/environments/admin/${BIG}/report/K8S?observed_at=${at}`, { artifacts });
  }
  await each(ENVIRONMENTS.slice(1), ([name, type]) => {
    const artifacts = range(5).map((i) => item(type, i, versionOf(i, 9), until));
    return ask('PUT', `/environments/admin/${name}/report/${type}`, { artifacts });
  });
  await ask('PUT', '/organizations/admin/environments_notifications', {
    name: 'payments-platform-on-call-engineers',
    triggers: ['ON_NON_COMPLIANT_ENV', 'ON_COMPLIANT_ENV', 'ON_STALE_ENV'],
    environments: names,
    targets: [{ type: 'EMAIL', emails: 'payments-platform-on-call-engineers@example.com' }],
  });
}
