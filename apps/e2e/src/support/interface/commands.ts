import { createHash } from 'node:crypto';
import { itemOf } from '../kinds';
import { digest, policyYaml, sha1, YESTERDAY } from '../samples';
import { PUBLISHED_KINDS } from './published-kinds';

/** A request of a command of the command line. */
export interface Command {
  readonly command: string;
  readonly method: string;
  readonly path: string;
  /** A write without a body sends `null`. */
  readonly json?: unknown;
  /** A form: JSON in its first field, files in the others. */
  readonly form?: readonly [field: string, data: unknown, files?: Readonly<Record<string, string>>];
  /** The statuses with which the command succeeds. */
  readonly status: readonly number[];
  /** The shape of what it reads from the answer. */
  readonly reads: string;
  /** As whom it is called, if not as a service account. */
  readonly as?: 'user';
}

export const fingerprint = digest('jam');
export const commit = sha1('jam');
const other = sha1('other jam');
export const trail = '/attestations/acme/jam/trail/cut-1';
const READS = [200];
const WRITES = [200, 201];

export const get = (command: string, path: string, reads: string): Command => ({
  command,
  method: 'GET',
  path,
  status: READS,
  reads,
});
const write = (command: string, method: string, path: string, json: unknown = null, reads = 'text'): Command => ({
  command,
  method,
  path,
  json,
  status: WRITES,
  reads,
});
const form = (command: string, method: string, path: string, ...parts: NonNullable<Command['form']>): Command => ({
  command,
  method,
  path,
  form: parts,
  status: WRITES,
  reads: 'text',
});

const git_commit_info = {
  sha1: commit,
  message: 'Cook jam',
  author: 'Joe <joe@example.com>',
  timestamp: YESTERDAY,
  branch: 'trunk',
  url: `https://github.com/acme/jam/commit/${commit}`,
};
const repo_info = { url: 'https://github.com/acme/jam', name: 'acme/jam', id: '7788', provider: 'github' };

/** Settings of the organization, its environments and flows. */
const SETTING_UP: readonly Command[] = [
  { ...write('set default-org', 'PUT', '/user/acme'), as: 'user' },
  { ...get('get default-org', '/user/default-org', '{ default_org_name: text | null }'), as: 'user' },
  write('create environment', 'PUT', '/environments/acme', {
    name: 'jar',
    type: 'docker',
    description: '',
    include_scaling: false,
    require_provenance: false,
  }),
  write('create environment', 'PUT', '/environments/acme', {
    name: 'pantry',
    type: 'logical',
    description: 'All jars',
    included_environments: ['jar'],
  }),
  write('create environment', 'PUT', '/environments/acme', { name: 'cellar', type: 'server', description: '' }),
  write('join environment', 'PUT', '/environments/acme/pantry/join', { physical_env_name: 'cellar' }),
  write('rename environment', 'PUT', '/environments/acme/cellar/rename', { new_name: 'basement' }),
  write('archive environment', 'PUT', '/environments/acme/basement/archive'),
  form(
    'create flow',
    'PUT',
    '/flows/acme/template_file',
    'data_json',
    { name: 'jam', description: '', visibility: 'private' },
    {
      template_file:
        'version: 1\ntrail:\n  attestations:\n    - {name: taste, type: generic}\n  artifacts:\n    - {name: pot, attestations: [{name: seal, type: junit}]}\n',
    },
  ),
  form(
    'create flow --use-empty-template',
    'PUT',
    '/flows/acme/template_file',
    'data_json',
    { name: 'syrup', description: '' },
    {
      template_file: 'version: 1\n',
    },
  ),
  write('create flow --template', 'PUT', '/flows/acme', {
    name: 'jelly',
    description: '',
    visibility: 'private',
    template: ['artifact'],
  }),
  write('rename flow', 'PUT', '/flows/acme/jelly/rename', { new_name: 'aspic' }),
  write('archive flow', 'PUT', '/flows/acme/aspic/archive'),
  write(
    'create control',
    'POST',
    '/controls/acme',
    { identifier: 'JAM-1', name: 'Tasted', description: 'By two' },
    '{ identifier: text, name: text, description: text, version: int, archived: bool, links: { *: text }, tags: { *: text } }',
  ),
  write(
    'update control',
    'PUT',
    '/controls/acme/JAM-1',
    { name: 'Tasted twice', links: { wiki: 'https://wiki.example.com' } },
    'object',
  ),
  write('archive control', 'POST', '/controls/acme/JAM-1/archive', null, 'object'),
  write('unarchive control', 'POST', '/controls/acme/JAM-1/unarchive', null, 'object'),
  form(
    'create attestation-type',
    'POST',
    '/custom-attestation-types/acme',
    'data_json',
    {
      name: 'sugar',
      description: 'How sweet',
      evaluator: { content_type: 'jq', rules: ['.grams < 50'] },
    },
    { type_schema: '{"type":"object","properties":{"grams":{"type":"integer"}}}' },
  ),
  form('create attestation-type', 'POST', '/custom-attestation-types/acme', 'data_json', { name: 'salt' }),
  write('archive attestation-type', 'PUT', '/custom-attestation-types/acme/salt/archive'),
  form(
    'create policy',
    'PUT',
    '/policies/acme',
    'payload',
    { name: 'tasted', description: 'Jam was tasted', comment: 'first', type: 'env' },
    {
      policy_file: policyYaml('  attestations:\n    - {type: decision, for_control: JAM-1}\n'),
    },
  ),
  write('attach-policy', 'POST', '/environments/acme/jar/policies', { policy_names: ['tasted'] }),
  write('detach-policy', 'DELETE', '/environments/acme/jar/policies', { policy_names: ['tasted'] }),
  write('attach-policy', 'POST', '/environments/acme/jar/policies', { policy_names: ['tasted'] }),
  write('allow artifact', 'PUT', '/allowlists/acme/jar', {
    artifact_fingerprint: digest('salt'),
    artifact_name: 'salt:1',
    description: 'By its vendor',
  }),
  write('tag flow', 'PATCH', '/tags/acme/flow/jam', { set_tags: { team: 'kitchen' }, remove_tags: null }),
  write('tag env', 'PATCH', '/tags/acme/env/jar', { set_tags: null, remove_tags: ['team'] }),
  write('tag control', 'PATCH', '/tags/acme/control/JAM-1', { set_tags: { team: 'kitchen' }, remove_tags: [] }),
];

const evidence = {
  origin_url: 'https://ci.example.com/9',
  user_data: {},
  git_commit_info,
  repo_info,
  description: 'Why',
  external_urls: { log: { href: 'https://log.example.com/9', fingerprint: digest('log') } },
};
const onPot = { ...evidence, artifact_fingerprint: fingerprint, target_artifacts: ['pot'] };
const attest = (command: string, type: string, data: object, file?: string): Command =>
  form(command, 'POST', `${trail}/${type}`, 'data_json', data, file === undefined ? {} : { attachment_file: file });
const pull = {
  merge_commit: commit,
  url: 'https://pr.example.com/9',
  state: 'MERGED',
  author: 'joe',
  title: 'Cook jam',
  created_at: YESTERDAY,
  merged_at: YESTERDAY,
  head_ref: 'jam',
  base_ref: 'trunk',
  approvers: [{ username: 'ada', state: 'APPROVED', timestamp: YESTERDAY }],
  commits: [
    { sha1: commit, message: 'Cook jam', author: 'Joe', author_username: 'joe', timestamp: YESTERDAY, branch: 'jam' },
  ],
};
const bom = '{"bomFormat":"CycloneDX","specVersion":"1.6","components":[{"type":"library","name":"sugar"}]}';
const original_fingerprint = createHash('sha256').update(bom).digest('hex');

/** Trails, artifacts and evidence. */
const BUILDING: readonly Command[] = [
  form('begin trail', 'PUT', '/trails/acme/jam', 'data_json', { ...evidence, name: 'cut-1', description: '' }),
  form(
    'begin trail --template-file',
    'PUT',
    '/trails/acme/syrup',
    'data_json',
    { name: 'cut-1', user_data: null },
    { template_file: 'version: 1\n' },
  ),
  write('attest artifact', 'POST', '/artifacts/acme/jam', {
    fingerprint,
    filename: 'jam.pot',
    git_commit: commit,
    git_commit_info,
    repo_info,
    build_url: 'https://ci.example.com/9',
    commit_url: git_commit_info.url,
    repo_url: '',
    template_reference_name: 'pot',
    trail_name: 'cut-1',
    external_urls: evidence.external_urls,
    annotations: { kitchen: 'north' },
  }),
  write('report artifact', 'POST', '/artifacts/acme/syrup', {
    fingerprint: digest('syrup'),
    filename: 'syrup.pot',
    git_commit: other,
    build_url: '',
    commit_url: '',
    repo_url: '',
    commits_list: [
      { sha1: other, message: 'Boil', author: 'Joe', timestamp: YESTERDAY, branch: 'trunk', parents: [commit] },
    ],
  }),
  attest('attest generic', 'generic', { ...evidence, attestation_name: 'taste', is_compliant: true }, 'sweet'),
  attest('attest junit', 'junit', {
    ...onPot,
    attestation_name: 'seal',
    junit_results: [
      { name: 'lid', failures: 0, errors: 0, skipped: 0, total: 3, duration: 0.5, timestamp: YESTERDAY + 0.5 },
    ],
  }),
  attest('attest jira', 'jira', {
    ...onPot,
    attestation_name: 'ticket',
    jira_results: [{ issue_id: 'JAM-9', issue_url: 'https://jira.example.com/JAM-9', issue_exists: true }],
  }),
  attest('attest jira', 'jira', { ...onPot, attestation_name: 'no-ticket', jira_results: null }),
  attest('attest snyk', 'snyk', {
    ...onPot,
    attestation_name: 'scan',
    snyk_results: {
      schema_version: 1,
      tool: { name: 'Snyk', version: '1.1' },
      results: [{ high_count: 0, medium_count: 0, low_count: 0 }],
    },
  }),
  attest('attest sonar', 'sonar', {
    ...onPot,
    attestation_name: 'quality',
    sonar_results: {
      serverUrl: 'https://sonar.example.com',
      taskId: 'T9',
      status: 'SUCCESS',
      analysedAt: '2026-02-03T04:05:06+0000',
      revision: commit,
      project: { key: 'jam', name: 'Jam', url: 'https://sonar.example.com/jam' },
      branch: { name: 'trunk', type: 'LONG' },
      qualityGate: {
        status: 'OK',
        conditions: [{ metric: 'coverage', errorThreshold: '80', operator: 'LESS_THAN', value: '91', status: 'OK' }],
      },
    },
  }),
  ...['github', 'gitlab', 'bitbucket', 'azure'].map((provider) =>
    attest(`attest pullrequest ${provider}`, 'pull_request', {
      ...onPot,
      attestation_name: `pr-${provider}`,
      git_provider: provider,
      pull_requests: [pull],
    }),
  ),
  attest('attest pullrequest github', 'pull_request', {
    ...onPot,
    attestation_name: 'no-pr',
    git_provider: 'github',
    pull_requests: null,
  }),
  attest(
    'attest custom',
    'custom',
    { ...onPot, attestation_name: 'sweet', type_name: 'sugar', attestation_data: { grams: 20 } },
    'scale',
  ),
  attest('attest decision', 'system', {
    ...evidence,
    attestation_name: 'tasted',
    type_name: 'decision',
    control: 'JAM-1',
    attestation_data: { is_compliant: true },
  }),
  attest(
    'attest sbom',
    'system',
    {
      ...onPot,
      attestation_name: 'contents',
      type_name: 'sbom',
      annotations: { sbom_format: 'cyclonedx-1.6', sbom_sha256: original_fingerprint },
      attestation_data: {
        format: 'cyclonedx-1.6',
        original_fingerprint,
        document: { created_at: null, tools: null, subject: null, package_count: 1 },
      },
    },
    bom,
  ),
  write('attest override', 'POST', `${trail}/override`, {
    ...onPot,
    attestation_name: 'no-pr',
    reason: 'Cooked by two',
    new_compliance_status: true,
    original_attestation_type: 'pull_request',
  }),
];

/** Reports of each kind. A command that creates the environment asks for it first. */
const SNAPSHOTS: readonly Command[] = PUBLISHED_KINDS.flatMap(({ kind, says }): Command[] => {
  const command = `snapshot ${{ K8S: 'k8s', ECS: 'ecs', S3: 's3', 'azure-apps': 'azure', server: 'path' }[kind] ?? kind}`;
  const name = kind === 'docker' ? 'jar' : `shelf-${kind}`;
  const report = { artifacts: [itemOf({ says }, `${name}:1`)], ...(kind === 'cloud-run' ? { type: kind } : {}) };
  const sent = { path: `/environments/acme/${name}/report/${kind}`, reads: 'text' };
  return [
    ...(kind === 'docker'
      ? []
      : [
          { ...get(command, `/environments/acme/${name}`, '{ message: text }'), status: [404] },
          write(command, 'PUT', '/environments/acme', { name, type: kind, description: '' }),
        ]),
    { ...write(command, 'PUT', sent.path, report), status: READS },
    ...(kind === 'server'
      ? [{ ...write('snapshot paths', 'PUT', sent.path, { artifacts: null }), status: READS }]
      : []),
    ...(kind === 'docker'
      ? [
          {
            ...write(command, 'PUT', sent.path, {
              artifacts: [{ digests: { 'jam.pot': fingerprint }, creationTimestamp: YESTERDAY }],
            }),
            status: READS,
          },
        ]
      : []),
  ];
});

/** In the order in which they can run; what they made is read by those of `commands-that-read.ts`. Commands whose paths contain ids are in the spec. */
export const WRITING: readonly Command[] = [...SETTING_UP, ...BUILDING, ...SNAPSHOTS];
