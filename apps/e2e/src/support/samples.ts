import { createHash } from 'node:crypto';
import type { Caller } from './caller';

const DAY = 24 * 3600;

let count = 0;
/** A name that is unique in the service of this file. */
export const fresh = (kind: string) => `${kind}-${++count}`;

/** The example digest of a text. */
export const digest = (text: string) => createHash('sha256').update(text).digest('hex');
/** The example commit of a text. */
export const sha1 = (text: string) => createHash('sha1').update(text).digest('hex');

/** Epoch seconds: a day ago, and so inside of every default window. */
export const YESTERDAY = Math.floor(Date.now() / 1000) - DAY;

/** One running container of a docker report. */
export const item = (digests: Readonly<Record<string, string>>, creationTimestamp: number = YESTERDAY) => ({
  digests,
  creationTimestamp,
});

/** Makes an environment of a name of its own, and returns the name. */
export async function environment(caller: Caller, fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const name = fresh('env');
  await caller.expect(201, 'PUT', '/environments/acme', { json: { name, type: 'docker', description: '', ...fields } });
  return name;
}

/** Makes a flow of a name of its own, and returns the name. */
export async function flow(caller: Caller, yaml?: string): Promise<string> {
  const name = fresh('flow');
  await caller.expect(201, 'PUT', '/flows/acme/template_file', { form: flowForm({ name, description: '' }, yaml) });
  return name;
}

/** A form as clients send it: a field without a content type of its own, a file part. */
export function flowForm(data: unknown, yaml?: string): FormData {
  const form = new FormData();
  form.set('data_json', typeof data === 'string' ? data : JSON.stringify(data));
  if (yaml !== undefined) {
    form.set('template_file', new Blob([yaml], { type: 'application/octet-stream' }), 'template.yml');
  }
  return form;
}

/** Reports running artifacts and returns the text of the answer. */
export function report(caller: Caller, env: string, artifacts: unknown): Promise<string> {
  return caller.expect<string>(200, 'PUT', `/environments/acme/${env}/report/docker`, { json: { artifacts } });
}

export const CREATED = (n: number) => `Report processed, snapshot ${n} created`;
export const UNCHANGED = 'Report processed, no new snapshot needed';

/** The commit that the fields of an artifact name, either way. */
function commitIn({ git_commit, git_commit_info }: Readonly<Record<string, unknown>>): string | undefined {
  const { sha1: described } = (git_commit_info ?? {}) as { readonly sha1?: string };
  return typeof git_commit === 'string' && git_commit !== '' ? git_commit : described;
}

/** An artifact of the new form, as clients send it; fields are replaced or, where undefined, left out. */
export function artifact(fingerprint: string, fields: Readonly<Record<string, unknown>> = {}) {
  const commit = sha1(fingerprint);
  const built = commitIn(fields) ?? commit;
  return {
    fingerprint,
    filename: 'shop/web:1',
    git_commit: built,
    git_commit_info: {
      sha1: built,
      message: 'Sell tea',
      author: 'Ada <ada@example.com>',
      branch: 'main',
      timestamp: YESTERDAY - 600,
      url: `https://github.com/acme/shop/commit/${commit}`,
    },
    repo_info: { url: 'https://github.com/acme/shop', name: 'acme/shop', id: '4711', provider: 'github' },
    build_url: 'https://ci.example.com/1',
    commit_url: `https://github.com/acme/shop/commit/${commit}`,
    repo_url: '',
    template_reference_name: 'web',
    trail_name: commit,
    ...fields,
  };
}

/** Posts an artifact that is new there. */
export async function post(caller: Caller, flowName: string, body: unknown): Promise<void> {
  await caller.expect(201, 'POST', `/artifacts/acme/${flowName}`, { json: body });
}

/** The info of a repository that no other test uses: fields of `repo_info`. */
export function repository(provider = 'github', host = 'github.com') {
  const name = `acme/${fresh('repo')}`;
  return { url: `https://${host}/${name}`, name, id: fresh('id'), provider };
}

export const PROVENANCE = policyYaml('  provenance:\n    required: true\n');

/** The text of a policy. */
export function policyYaml(artifacts: string): string {
  return `_schema: https://assurance.example.com/schemas/policy/v1\nartifacts:\n${artifacts}`;
}

/** Makes a policy of a name of its own, or its next version, and returns the name. */
export async function policy(caller: Caller, yaml: string, name?: string): Promise<string> {
  const own = name ?? fresh('policy');
  await caller.expect(name === undefined ? 201 : 200, 'PUT', '/policies/acme', {
    form: policyForm({ name: own }, yaml),
  });
  return own;
}

/** A policy as clients send it. */
export function policyForm(payload: object, yaml?: string): FormData {
  const form = new FormData();
  form.set('payload', JSON.stringify({ description: '', comment: '', type: 'env', ...payload }));
  if (yaml !== undefined) form.set('policy_file', new Blob([yaml], { type: 'application/octet-stream' }), 'policy.yml');
  return form;
}

/** Attaches a policy to an environment. */
export async function attach(caller: Caller, env: string, ...names: string[]): Promise<void> {
  await caller.expect(200, 'POST', `/environments/acme/${env}/policies`, { json: { policy_names: names } });
}

/** A bill of materials (CycloneDX) with these components. */
export const sbomOf = (components: readonly object[], more: object = {}): string =>
  JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components, ...more });

/** An attestation of a bill of materials, of this artifact or of the trail. */
export function sbomForm(content: string, fingerprint?: string): FormData {
  const form = new FormData();
  const about = fingerprint === undefined ? {} : { artifact_fingerprint: fingerprint };
  const attestation_data = { original_fingerprint: digest(content) };
  form.set('data_json', JSON.stringify({ attestation_name: 'bom', type_name: 'sbom', attestation_data, ...about }));
  form.append('attachment_file', new Blob([content]), 'bom');
  return form;
}
