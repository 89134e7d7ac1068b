import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { Place } from '../../support/process';

const DEMO = resolve(__dirname, '../../../../../tools/demo/demo.mjs');

/** A service with the demo's data and with evidence of every type, in an organization `admin`. */
export interface Shop {
  readonly url: string;
  /** Of the administrator. */
  readonly key: string;
  /** Asks the API with a key, the administrator's unless another is given. */
  ask<T>(method: string, path: string, body?: unknown, key?: string): Promise<T>;
  /** The same with a form of one field of JSON, perhaps with a file. */
  form<T>(
    method: string,
    path: string,
    field: string,
    json: unknown,
    file?: readonly [name: string, text: string],
  ): Promise<T>;
  stop(): Promise<void>;
}

/** Starts a built service and fills it. */
export async function startShop(): Promise<Shop> {
  const place = new Place();
  const service = place.start({ ASSURANCE_OPERATIONS_PORT: '0', ASSURANCE_TARGET_NETWORKS: '127.0.0.0/8' });
  const url = await service.url();
  const [, key = ''] = /shown only now:\s+(\S+)/.exec(service.out) ?? [];
  execFileSync(process.execPath, [DEMO, '--url', url, '--key', key], { stdio: 'pipe' });
  const shop: Shop = {
    url,
    key,
    ask: (method, path, body, asker = key) =>
      answer(`${url}/api/v2${path}`, {
        method,
        headers: { authorization: `Bearer ${asker}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    form: (method, path, field, json, file) => {
      const form = new FormData();
      form.set(field, JSON.stringify(json));
      if (file !== undefined) form.set(file[0], new Blob([file[1]]), 'file.yml');
      return answer(`${url}/api/v2${path}`, { method, headers: { authorization: `Bearer ${key}` }, body: form });
    },
    stop: async () => {
      await service.stop();
      await place.clear();
    },
  };
  try {
    await govern(shop);
    await attest(shop);
  } catch (fault) {
    await shop.stop();
    throw fault;
  }
  return shop;
}

async function answer<T>(address: string, init: RequestInit): Promise<T> {
  const response = await fetch(address, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${init.method} ${address}: ${response.status} ${text}`);
  return JSON.parse(text) as T;
}

const POLICY = `_schema: https://assurance.example.com/schemas/policy/v1
artifacts:
  provenance: { required: true }
  trail-compliance: { required: true }
`;

/** A policy of two versions that is in force in production, a control, a type of its own and a notification. */
async function govern(shop: Shop): Promise<void> {
  const policy = { name: 'production-ready', description: 'What customers may see' };
  await shop.form('PUT', '/policies/admin', 'payload', { ...policy, comment: 'First rules' }, ['policy_file', POLICY]);
  const stricter = `${POLICY}  attestations:\n    - type: pull_request\n`;
  await shop.form('PUT', '/policies/admin', 'payload', { ...policy, comment: 'Reviews' }, ['policy_file', stricter]);
  for (const environment of ['demo-production', 'demo-functions']) {
    await shop.ask('POST', `/environments/admin/${environment}/policies`, { policy_names: [policy.name] });
  }
  await shop.ask('POST', '/controls/admin', {
    identifier: 'CC8.1',
    name: 'Changes are reviewed',
    description: 'By others',
  });
  await shop.form('POST', '/custom-attestation-types/admin', 'data_json', {
    name: 'coverage',
    description: 'Lines that tests ran',
    evaluator: { content_type: 'jq', rules: ['.lines > 80'] },
  });
  await shop.ask('PUT', '/organizations/admin/environments_notifications', {
    name: 'production-alarms',
    triggers: ['ON_NON_COMPLIANT_ENV'],
    environments: ['demo-production'],
    targets: [{ type: 'EMAIL', emails: 'ops@example.com' }],
  });
}

const pull_requests = [
  {
    url: 'https://github.com/acme/shop-web/pull/41',
    title: 'Remember the basket',
    state: 'MERGED',
    author: 'ada',
    approvers: ['grace'],
  },
];

/** Evidence of every type in one trail. */
const EVIDENCE: Readonly<Record<string, object>> = {
  pull_request: { attestation_name: 'review', git_provider: 'github', pull_requests },
  snyk: {
    attestation_name: 'scan',
    snyk_results: {
      results: [
        {
          critical_count: 0,
          high_count: 1,
          medium_count: 2,
          low_count: 0,
          high: [{ id: 'SNYK-1', title: 'Prototype pollution' }],
        },
      ],
    },
  },
  sonar: {
    attestation_name: 'quality',
    sonar_results: {
      serverUrl: 'https://sonar.example.com',
      project: { name: 'shop-web' },
      qualityGate: {
        status: 'OK',
        conditions: [{ metric: 'new_coverage', operator: 'LT', errorThreshold: '80', value: '87', status: 'OK' }],
      },
    },
  },
  jira: {
    attestation_name: 'ticket',
    jira_results: [{ issue_id: 'SHOP-12', issue_url: 'https://jira.example.com/SHOP-12', issue_exists: true }],
  },
  custom: { attestation_name: 'covered', type_name: 'coverage', attestation_data: { lines: 87 } },
  system: {
    attestation_name: 'decided',
    type_name: 'decision',
    control: 'CC8.1',
    attestation_data: { is_compliant: true },
  },
};

async function attest(shop: Shop): Promise<void> {
  const trail = '/attestations/admin/demo-web/trail/build-10';
  for (const [type, json] of Object.entries(EVIDENCE)) await shop.form('POST', `${trail}/${type}`, 'data_json', json);
  const junit_results = [{ name: 'basket', total: 120, failures: 2, errors: 0, skipped: 3, duration: 12.4 }];
  const { compliance_status: status } = await shop.ask<{
    compliance_status: { artifacts_statuses: { web: { artifact_fingerprint: string } } };
  }>('GET', '/trails/admin/demo-web/build-10');
  const { artifact_fingerprint } = status.artifacts_statuses.web;
  const tests = { attestation_name: 'tests', target_artifacts: ['web'], artifact_fingerprint, junit_results };
  await shop.form('POST', `${trail}/junit`, 'data_json', tests);
}

/** A path of every kind of page, with the demo's data. */
export async function pathsOf(shop: Shop): Promise<readonly string[]> {
  const built = await shop.ask<readonly { fingerprint: string }[]>('GET', '/artifacts/admin/demo-web');
  const fingerprint = built[0]?.fingerprint ?? '';
  return [
    '/admin',
    '/admin/environments',
    '/admin/environments/demo-production',
    '/admin/environments/demo-production?tab=history',
    '/admin/environments/demo-production?tab=events',
    '/admin/environments/demo-production?tab=rules',
    '/admin/environments/demo-production/snapshots/3',
    '/admin/compare?a=demo-production&b=demo-staging',
    '/admin/compare',
    '/admin/deployments',
    '/admin/flows',
    '/admin/flows/demo-web',
    '/admin/flows/demo-web?tab=artifacts',
    '/admin/flows/demo-web?tab=about',
    '/admin/flows/demo-web/trails/build-10',
    `/admin/flows/demo-web/artifacts/${fingerprint}`,
    '/admin/repositories',
    `/admin/repositories/${encodeURIComponent('acme/shop-web')}`,
    '/admin/policies',
    '/admin/policies/production-ready',
    '/admin/controls',
    '/admin/controls/CC8.1',
    '/admin/attestation-types',
    '/admin/attestation-types/coverage',
    '/admin/notifications',
    '/admin/notifications/1',
    '/admin/settings/members',
    '/admin/settings/log',
    '/admin/settings/service-accounts',
    '/admin/settings/keys',
    '/admin/settings/organizations',
    '/admin/search?q=demo',
    `/admin/search?q=${fingerprint.slice(0, 10)}`,
    '/admin/no-such-page',
  ];
}
