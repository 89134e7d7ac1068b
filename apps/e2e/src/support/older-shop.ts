import type { Caller, RequestParts } from './caller';
import { digest, flowForm, policyForm, PROVENANCE, sha1 } from './samples';

/** What runs of one name: an image by its tag, and pods with their creation times (epoch seconds). */
type RunsByTag = Readonly<Record<string, readonly number[]>>;

/** The digest of an image of the shop. */
export const printOf = (name: string) => digest(`shop ${name}`);

const DAY = 86_400;
const VERSIONS = ['web:1', 'web:2', 'web:3', 'api:1', 'api:2', 'job:1'];

/** The reports of the shop's production, in their order. */
function reports(now: number): readonly RunsByTag[] {
  const old = now - 10 * DAY;
  return [
    { 'web:1': [old, old + 1], 'api:1': [old] },
    // A rolling update of which the reporter sees each step.
    { 'web:1': [old], 'web:2': [now - 5], 'api:1': [old] },
    { 'web:2': [now - 5, now - 4], 'api:1': [old] },
    // A job, twice, and pods that are rescheduled.
    { 'web:2': [now - 5], 'api:1': [old], 'job:1': [0] },
    { 'web:2': [now - 5] },
    { 'web:2': [now - 5], 'api:1': [now - 1], 'job:1': [0] },
    // A rollback, whose container is older than all reports.
    { 'web:1': [now - 50 * DAY], 'api:1': [now - 1] },
    { 'web:3': [0], 'api:2': [old] },
  ];
}

/**
 * Fills an empty organization with a shop by requests that every version since 5d2cb280 takes: deployments of each kind, provenance before and after them,
 * evidence of each type, policies, allow-lists, names that changed, archives, notifications and members. Equal shops of different versions can be compared.
 */
export async function fillShop(caller: Caller): Promise<void> {
  const now = Math.floor(Date.now() / 1_000);
  /** Versions differ in which success they answer. */
  const ask = async (method: string, path: string, what: RequestParts) => {
    const { status, text } = await caller.send(method, path, what);
    if (status < 200 || status > 299) throw new Error(`${method} ${path} → ${status}: ${text}`);
  };
  const put = (path: string, json: unknown) => ask('PUT', path, { json });
  const attest = (path: string, data: object, file?: string) => {
    const form = flowForm(data);
    if (file !== undefined) form.set('attachment_file', new Blob([file]), 'result.xml');
    return ask('POST', path, { form });
  };
  for (const name of ['production', 'jobs', 'gone']) {
    await put('/environments/acme', { name, type: 'K8S', description: name, require_provenance: false });
  }
  await put('/environments/acme', { name: 'all', type: 'logical', included_environments: ['production', 'jobs'] });
  for (const name of ['build', 'promote', 'old-flow']) {
    await ask('PUT', '/flows/acme/template_file', {
      form: flowForm({ name, description: '' }, 'version: 1\ntrail:\n  artifacts:\n    - name: web\n'),
    });
  }
  const provenance = async (name: string, committed: number, url: string) => {
    const sha = sha1(name);
    await ask('POST', '/artifacts/acme/build', {
      json: {
        fingerprint: printOf(name),
        filename: `shop/${name}`,
        git_commit: sha,
        build_url: 'https://ci.example.com/1',
        git_commit_info: {
          sha1: sha,
          message: 'Sell',
          author: 'A <a@example.com>',
          branch: 'main',
          timestamp: committed,
        },
        commit_url: 'https://example.com/c',
        repo_url: url,
        trail_name: `build-${name.replace(':', '-')}`,
        template_reference_name: name.split(':')[0],
      },
    });
  };
  await provenance('web:1', now - 40 * DAY, 'https://github.com/acme/web');
  await provenance('api:1', 0, 'https://github.com/acme/api');
  const policy = { name: 'strict' };
  await ask('PUT', '/policies/acme', { form: policyForm(policy, PROVENANCE) });
  for (const [i, runs] of reports(now).entries()) {
    const artifacts = Object.entries(runs).flatMap(([name, pods]) =>
      pods.map((creationTimestamp, n) => ({
        podName: `${name.replace(':', '-')}-${n}`,
        namespace: 'shop',
        owners: null,
        creationTimestamp,
        digests: { [`registry.example.com/shop/${name}`]: printOf(name) },
      })),
    );
    await put('/environments/acme/production/report/K8S', { artifacts });
    if (i === 3)
      await ask('POST', '/environments/acme/production/policies', {
        json: { policy_names: ['strict'] },
      });
  }
  // Commits of which one is not older than its start.
  for (const name of ['web:2', 'web:3', 'api:2', 'job:1']) {
    await provenance(name, name === 'web:3' ? now + 3_600 : now - DAY, `https://github.com/acme/${name.split(':')[0]}`);
  }
  const [path, target] = ['/attestations/acme/build/trail/build-web-1', { artifact_fingerprint: printOf('web:1') }];
  const junit = { name: 'a', failures: 0, errors: 0, skipped: 0, total: 3, duration: 1.5, timestamp: 0 };
  await attest(`${path}/junit`, { attestation_name: 'tests', junit_results: [junit], ...target }, '<xml/>');
  await attest(`${path}/generic`, {
    attestation_name: 'checked',
    is_compliant: false,
    user_data: { run: 7 },
  });
  const reason = { reason: 'known', new_compliance_status: true, original_attestation_type: 'generic' };
  await ask('POST', `${path}/override`, { json: { attestation_name: 'checked', ...reason } });
  await put('/allowlists/acme/production', {
    artifact_fingerprint: printOf('job:1'),
    artifact_name: 'job',
    description: 'x',
  });
  await put('/environments/acme/jobs/report/K8S', { artifacts: [] });
  await put('/environments/acme/gone/archive', {});
  await put('/flows/acme/old-flow/archive', {});
  await put('/environments/acme/production/rename', { new_name: 'live' });
  await put('/flows/acme/promote/rename', { new_name: 'release' });
  await ask('PATCH', '/tags/acme/env/live', { json: { set_tags: { team: 'shop' } } });
  const heard = { environments: ['live'], triggers: ['ON_STARTED_ARTIFACT'], targets: [] };
  await put('/organizations/acme/environments_notifications', { name: 'starts', ...heard });
  await ask('POST', '/service-accounts/acme', { json: { name: 'robot', privilege: 'reader' } });
}

/** The images of the shop, by their digests. */
export const IMAGES = new Map(VERSIONS.map((name) => [printOf(name), name]));
