import type { SpacePage } from '@assurance/contracts/access/answers/space';
import type { RepoPage } from '@assurance/contracts/flows/answers/repo';
import type { Route } from '@assurance/contracts/http/route';
import { routes } from '@assurance/contracts/http/routes/routes';
import type { ActionAnswer, NotificationAnswer } from '@assurance/contracts/notifications/answers/notification';
import type { DecisionPage } from '@assurance/contracts/policies/answers/control';
import type { Caller } from './support/caller';
import { userKeyOf } from './support/declared';
import { eventually } from './support/eventually';
import type { FieldCoverage } from './support/filled';
import { invite } from './support/joining';
import { itemOf, KINDS, reportAs } from './support/kinds';
import { deliveries, notification, NOTIFICATIONS, TARGET_CONFIGS, test as sendTest } from './support/notifying';
import {
  attach,
  digest,
  flowForm,
  fresh,
  item,
  policy,
  policyYaml,
  report,
  sbomOf,
  sha1,
  YESTERDAY,
} from './support/samples';
import { onOwnServices } from './support/world';

const TEMPLATE = `version: 1
trail:
  attestations: [{name: review, type: generic}, {name: missing, type: junit}]
  artifacts: [{name: web, attestations: [{name: tests, type: junit}]}]
`;
const POLICY = `  provenance: {required: true, exceptions: [{if: 'flow.name == "x"'}]}
  trail-compliance: {required: true}
  attestations:
    - {type: junit, name: tests, if: 'flow.name != "x"'}
    - {type: decision, for_control: RICH-1}
`;
/** The first is never filled yet, and no caller has a session. For the others there is too little data here, or no receiver of messages. */
const NEVER = [
  // Nothing here is that old: see retention.spec.ts. The bill of materials only lists its components: see sboms.spec.ts.
  'dropped',
  'subject',
  'tools',
  'components',
  'first',
  'resolution',
  'verified',
  'signature_state',
  'deployments',
  'session',
  'recovery_time',
  // No report is late while the clock runs as usual: missed-reports.spec.ts has it.
  'late_since',
  'environment_late_since',
  // The artifact with a bill of materials runs: components.spec.ts has one that is gone.
  'last_snapshot',
  'last_seen',
  // The same, of vulnerabilities.spec.ts.
  'gone_snapshot',
  'gone_at',
  // No policy here refuses vulnerabilities: policy-vulnerabilities.spec.ts has those that a rule names.
  'vulnerabilities',
  'prev',
  'next',
  'next_attempt_at',
  'config_target',
  'last_success_at',
  'last_success_timestamp',
  'scope',
  'last_notified_at',
  'last_failure',
];

/** Existing things from which paths are made. */
interface CreatedResources {
  readonly flow: string;
  readonly trail: string;
  readonly env: string;
  readonly fingerprint: string;
  readonly commit: string;
  readonly control: string;
  readonly type: string;
  readonly policy: string;
  readonly account: string;
  readonly attestation: string;
  readonly config: string;
}

onOwnServices((world) => {
  const admin = () => world().as('admin');
  const put = (path: string, json: unknown, status = 201) => admin().expect(status, 'PUT', path, { json });
  const send = (path: string, json: unknown) => admin().expect(201, 'POST', path, { json });
  const attest = (names: Pick<CreatedResources, 'flow' | 'trail'>, type: string, data: object, file?: string) => {
    const form = flowForm(data);
    if (file !== undefined) form.append('attachment_file', new Blob([file]), 'evidence.txt');
    return admin().expect(201, 'POST', `/attestations/acme/${names.flow}/trail/${names.trail}/${type}`, { form });
  };

  /** A vulnerability with its required fields only, and one with all fields, of a component named tea. */
  async function vulnerabilities(fingerprint: string) {
    const modified = '2024-01-02T00:00:00Z';
    const events = [{ introduced: '0' }, { fixed: '9999' }];
    const affected = ['npm', 'Maven'].map((ecosystem) => ({
      package: { ecosystem, name: 'tea' },
      ranges: [{ type: 'ECOSYSTEM', events }],
    }));
    const rich = { id: 'CVE-2024-2', aliases: ['GHSA-2'], summary: 'Tea', published: modified, affected };
    const statement = { vulnerability: { name: 'CVE-2024-2' }, products: [{ '@id': `sha256:${fingerprint}` }] };
    const justification = 'component_not_present';
    const files = [
      [
        { id: 'CVE-2024-1', modified },
        { id: 'CVE-2024-3', modified, withdrawn: modified },
        { ...rich, modified, database_specific: { severity: 'LOW' } },
      ],
      {
        '@context': 'https://openvex.dev/ns/v0.2.0',
        author: 'Acme',
        timestamp: modified,
        statements: [{ ...statement, status: 'not_affected', justification }],
      },
    ];
    for (const file of files) {
      const form = flowForm({});
      form.append('attachment_file', new Blob([JSON.stringify(file)]), 'db.json');
      await admin().expect(201, 'POST', '/vulnerabilities/acme', { form });
    }
    // A list that lags behind is requested again. A name that does not exist yet is 404.
    await admin().get('/vulnerabilities/acme');
  }

  /** Everything with its required fields only. */
  async function poorest(): Promise<CreatedResources> {
    const [flow, env, control, type, account, config] = ['flow', 'env', 'POOR', 'type', 'poor', 'config'].map(
      fresh,
    ) as [string, string, string, string, string, string];
    const fingerprint = digest(flow);
    await put('/flows/acme', { name: flow });
    await put('/environments/acme', { name: env, type: 'docker', report_every: 3_600 });
    await put('/environments/acme', { name: `${env}-silent`, type: 'docker' });
    await report(admin(), env, [{ digests: { 'unknown:1': digest(env) }, creationTimestamp: 0 }]);
    await report(admin(), env, [{ digests: { 'unknown:1': digest(env), 'web:1': fingerprint }, creationTimestamp: 0 }]);
    const bare = { fingerprint, filename: 'web', git_commit: sha1(flow) };
    await send(`/artifacts/acme/${flow}`, { ...bare, trail_name: 'bare', template_reference_name: 'web' });
    await send(`/artifacts/acme/${flow}`, { ...bare, fingerprint: digest(`${flow} legacy`) });
    const form = flowForm({
      name: 'shy',
      git_commit_info: { sha1: sha1('shy') },
      repo_info: { url: `https://git.example.com/${flow}` },
    });
    await admin().expect(201, 'PUT', `/trails/acme/${flow}`, { form });
    await attest({ flow, trail: 'bare' }, 'generic', { attestation_name: 'tests', is_compliant: false });
    await attest({ flow, trail: 'shy' }, 'generic', {
      attestation_name: 'tests',
      is_compliant: true,
      git_commit_info: { sha1: sha1('shy') },
    });
    await put('/spaces/acme', { name: fresh('space') });
    await send('/controls/acme', { identifier: control, name: 'Poor' });
    await admin().expect(201, 'POST', '/custom-attestation-types/acme', { form: flowForm({ name: type }) });
    await send('/service-accounts/acme', { name: account, privilege: 'reader' });
    await send(`/service-accounts/acme/${account}/api-keys`, { description: '' });
    await put(TARGET_CONFIGS, { name: config, targets: [] });
    await notification(admin(), {});
    const policyName = await policy(admin(), '_schema: https://assurance.example.com/schemas/policy/v1\n');
    const Results = [{ Vulnerabilities: [{ VulnerabilityID: 'CVE-2024-4', PkgName: 'tea' }] }];
    const scan = { attestation_name: 'scan', is_compliant: true, user_data: { SchemaVersion: 2, Results } };
    await attest({ flow, trail: 'bare' }, 'generic', { ...scan, artifact_fingerprint: fingerprint });
    await vulnerabilities(fingerprint);
    return {
      flow,
      env,
      control,
      type,
      account,
      config,
      fingerprint,
      trail: 'bare',
      commit: sha1(flow),
      policy: policyName,
      attestation: 'tests',
    };
  }

  /** Everything with all that it may have. */
  async function richest(): Promise<CreatedResources> {
    const [flow, env, type, account, config] = ['flow', 'env', 'type', 'rich', 'config'].map(fresh) as [
      string,
      string,
      string,
      string,
      string,
    ];
    const [control, trail] = ['RICH-1', 'build-1'];
    const [old, fingerprint] = [digest(`${flow} old`), digest(flow)];
    const tags = { set_tags: { team: 'shop' }, remove_tags: null };
    await put('/spaces/acme', { name: 'Rich', parent_id: 'root' });
    await send('/controls/acme', { identifier: control, name: 'Review', description: 'Two people' });
    await put(`/controls/acme/${control}`, { links: { wiki: 'https://wiki.example.com' } }, 200);
    await admin().expect(201, 'PUT', '/flows/acme/template_file', {
      form: flowForm({ name: flow, description: 'Rich' }, TEMPLATE),
    });
    await put('/environments/acme', {
      name: env,
      type: 'docker',
      description: 'Rich',
      include_scaling: true,
      require_provenance: true,
    });
    await put('/environments/acme', { name: `${env}-all`, type: 'logical', included_environments: [env] });
    for (const [kind, name] of [
      ['flow', flow],
      ['env', env],
      ['control', control],
    ]) {
      await admin().expect(200, 'PATCH', `/tags/acme/${kind}/${name}`, { json: tags });
    }
    const yaml = await policy(admin(), policyYaml(POLICY));
    await attach(admin(), env, yaml);
    const vendor = {
      artifact_fingerprint: digest('vendor'),
      artifact_name: 'nginx:1.27',
      description: 'By its vendor',
    };
    await put(`/allowlists/acme/${env}`, vendor);
    await put(`/allowlists/acme/${env}`, { ...vendor, artifact_fingerprint: fingerprint, expires_at: 4_102_444_800 });
    const commitOf = (sha: string) => ({
      sha1: sha,
      message: 'Sell tea',
      author: 'Ada',
      branch: 'main',
      timestamp: YESTERDAY - 600,
      url: `https://github.com/acme/rich/commit/${sha}`,
      author_username: 'ada',
      parents: [sha1('parent')],
    });
    const repo_info = {
      url: 'https://github.com/acme/rich',
      name: 'acme/rich',
      id: '815',
      provider: 'github',
      description: 'Rich',
      namespace_path: ['acme'],
      additional_info: { stars: 7 },
    };
    const external_urls = { log: { href: 'https://log.example.com', fingerprint: digest('log') } };
    const settings = {
      name: trail,
      description: 'Rich',
      user_data: { run: 7 },
      git_commit_info: commitOf(sha1(flow)),
      repo_info,
      external_urls,
      origin_url: 'https://ci.example.com/7',
    };
    await admin().expect(201, 'PUT', `/trails/acme/${flow}`, { form: flowForm(settings) });
    await admin().expect(200, 'PUT', `/trails/acme/${flow}`, {
      form: flowForm({ ...settings, description: 'Richer' }),
    });
    for (const [print, sha] of [
      [old, sha1(old)],
      [fingerprint, sha1(flow)],
    ] as const) {
      await send(`/artifacts/acme/${flow}`, {
        fingerprint: print,
        filename: 'acme/web:1',
        git_commit: sha,
        git_commit_info: commitOf(sha),
        repo_info,
        build_url: 'https://ci.example.com/7',
        commit_url: `https://github.com/acme/rich/commit/${sha}`,
        repo_url: '',
        template_reference_name: 'web',
        trail_name: trail,
        external_urls,
        annotations: { a: 'b' },
        template: ['tests'],
        description: 'Why',
        is_compliant: true,
        user_data: { run: 7 },
      });
    }
    const common = {
      user_data: { any: 1 },
      description: 'Why',
      origin_url: 'https://ci.example.com/7',
      external_urls,
      annotations: { tool: 'make' },
      git_commit_info: commitOf(sha1(flow)),
    };
    const on = { ...common, artifact_fingerprint: fingerprint };
    const trailPath = { flow, trail };
    const suite = { name: 's', failures: 1, errors: 0, skipped: 0, total: 2, duration: 1.5, timestamp: 1_700_000_000 };
    await attest(trailPath, 'junit', { ...on, attestation_name: 'tests', junit_results: [suite] }, 'a log');
    await attest(trailPath, 'generic', { ...common, attestation_name: 'review', is_compliant: true });
    await attest(trailPath, 'jira', {
      ...on,
      attestation_name: 'jira',
      jira_results: [{ issue_id: 'T-1', issue_exists: true }],
    });
    const result = { high_count: 0, medium_count: 0, low_count: 0 };
    await attest(trailPath, 'snyk', {
      ...on,
      attestation_name: 'snyk',
      snyk_results: { schema_version: 1, results: [result] },
    });
    await attest(trailPath, 'sonar', {
      ...on,
      attestation_name: 'sonar',
      sonar_results: { qualityGate: { status: 'OK' } },
    });
    const pull_requests = [{ url: 'https://pr.example.com/1', approvers: ['ada'] }];
    await attest(trailPath, 'pull_request', { ...on, attestation_name: 'pr', git_provider: 'github', pull_requests });
    const schema = flowForm({
      name: type,
      description: 'Coverage',
      evaluator: { content_type: 'jq', rules: ['.coverage > 1'] },
      summary: [{ name: 'Coverage', expression: '.coverage' }],
    });
    schema.set('type_schema', new Blob(['{"type":"object"}']), 'schema.json');
    await admin().expect(201, 'POST', '/custom-attestation-types/acme', { form: schema });
    await attest(trailPath, 'custom', {
      ...on,
      attestation_name: 'custom',
      type_name: type,
      attestation_data: { coverage: 9 },
    });
    await attest(trailPath, 'system', {
      ...on,
      attestation_name: 'decided',
      type_name: 'decision',
      control,
      attestation_data: { is_compliant: true },
    });
    const hashes = [{ alg: 'SHA-256', content: 'ab'.repeat(32) }];
    const tea = { name: 'tea', purl: 'pkg:npm/tea', hashes, licenses: [{ license: { id: 'MIT' } }] };
    const components = [
      { ...tea, version: '1.0' },
      { ...tea, version: 'odd one' },
    ];
    const bom = sbomOf(components);
    const bomData = { original_fingerprint: digest(bom) };
    const ofBom = { ...on, attestation_name: 'bom', type_name: 'sbom', attestation_data: bomData };
    await attest(trailPath, 'system', ofBom, bom);
    const vulnerable = ['2', '4'].map((number) => ({ VulnerabilityID: `CVE-2024-${number}`, PkgName: 'tea' }));
    const Results = [
      { Vulnerabilities: vulnerable.map((finding, i) => (i === 0 ? { ...finding, Severity: 'HIGH' } : finding)) },
    ];
    const scan = { attestation_name: 'scan', is_compliant: true, user_data: { SchemaVersion: 2, Results } };
    // The file is a report that cannot be read.
    await attest(trailPath, 'generic', { ...on, ...scan }, '{"SchemaVersion":3,"Results":[]}');
    await vulnerabilities(fingerprint);
    await send(`/attestations/acme/${flow}/trail/${trail}/override`, {
      attestation_name: 'tests',
      artifact_fingerprint: fingerprint,
      reason: 'Flaky',
      new_compliance_status: true,
      original_attestation_type: 'junit',
    });
    const target = { type: 'WEBHOOK', webhook: 'http://127.0.0.1:1/hook', payload_version: '1.0' };
    const slack = { type: 'SLACK', webhook: 'http://127.0.0.1:1/slack', context: { channel_id: 'C1' } };
    await put(TARGET_CONFIGS, { name: config, targets: [target] });
    const targets = [target, slack, { type: 'EMAIL', emails: 'a@example.com' }, { type: 'NESTED_CONFIG', config }];
    const alert = await notification(admin(), { environments: [env], targets });
    const signed = { target: alert.targets[0]?.id };
    await send(`${NOTIFICATIONS}/${alert.number}/signing_secret`, signed);
    await sendTest(admin(), alert.number);
    const trails = { name: `${env}-trails`, flows: [flow], triggers: ['ON_ATTESTATION'], targets: [target] };
    await put('/actions/acme/flows', trails);
    await put('/notification-config/acme/api_key_expiry', { targets: [target] });
    await attest(trailPath, 'generic', { ...on, attestation_name: 'followed', is_compliant: true });
    const { number: followed } = (await actions()).find(({ name }) => name === trails.name) ?? alert;
    const unknown = item({ 'unknown:1': digest(env) });
    await report(admin(), env, [item({ 'acme/web:1': old }), unknown]);
    await report(admin(), env, [item({ 'acme/web:1': fingerprint }), item({ 'acme/web:1': fingerprint }), unknown]);
    for (const kind of KINDS.filter(({ shows }) => Object.values(shows).some((value) => value !== null))) {
      const name = `${env}-${kind.kind}`;
      await put('/environments/acme', { name, type: kind.kind });
      const other = itemOf({ says: kind.saysOtherwise }, `${name}:2`);
      await reportAs(admin(), kind.kind, name, [itemOf(kind, `${name}:1`), other]);
    }
    await send('/service-accounts/acme', { name: account, privilege: 'member', description: 'Rich' });
    await send(`/service-accounts/acme/${account}/api-keys`, { description: 'Rich', expires_at: 4_000_000_000 });
    await invite(admin(), `${env}-guest`, 'reader');
    const person = world().withHeader(`Bearer ${userKeyOf('admin')}`);
    await person.expect(200, 'PUT', '/user/acme', { json: null });
    const { repos } = await admin().get<RepoPage>('/repos/acme?name=acme/rich');
    await admin().expect(200, 'PATCH', `/tags/acme/repo/${repos[0]?.id}`, { json: tags });
    await eventually(
      async () => (await deliveries(admin(), alert.number)).deliveries,
      (all) => all.some(({ attempts, snapshot_index }) => attempts.length > 0 && snapshot_index !== null),
    );
    await eventually(
      async () => (await deliveries(admin(), followed)).deliveries,
      (all) => all.length > 0,
    );
    const days = { attachments_days: 36_500, payloads_days: 36_500, snapshots_days: 36_500 };
    await put('/retention/acme', days, 200);
    await put(`/retention/acme/holds/${flow}/${trail}`, { reason: 'Case 7' }, 200);
    return {
      ...trailPath,
      env,
      fingerprint,
      commit: sha1(flow),
      control,
      type,
      policy: yaml,
      account,
      config,
      attestation: 'tests',
    };
  }

  const actions = () => admin().get<ActionAnswer[]>('/actions/acme');

  /** All paths of a route that read what was created; null: those of its only path. */
  async function pathsOf(names: CreatedResources): Promise<Readonly<Record<string, readonly string[]>>> {
    const { flow, trail, env, fingerprint, commit, attestation, account } = names;
    const { repos } = await admin().get<RepoPage>('/repos/acme?per_page=100');
    const alerts = await admin().get<NotificationAnswer[]>(NOTIFICATIONS);
    const { spaces } = await admin().get<SpacePage>('/spaces/acme');
    const [key] = await admin().get<{ id: string }[]>(`/service-accounts/acme/${account}/api-keys`);
    const { decisions } = await admin().get<DecisionPage>(`/controls/acme/${names.control}/decisions`);
    const attestations = await admin().get<{ attestation_id: string }[]>(
      `/attestations/acme/${flow}/trail/${trail}/${attestation}`,
    );
    const window = 'start_ts=0&end_ts=9999999999&per_page=50';
    const environments = KINDS.map(({ kind }) => `${env}-${kind}`);
    const existing = await Promise.all(
      ['', '-all', '-silent'].map(async (end) => {
        const { status } = await admin().send('GET', `/environments/acme/${env}${end}`);
        return status === 200 ? [`${env}${end}`] : [];
      }),
    );
    const kinds = await Promise.all(
      environments.map(async (name) =>
        (await admin().send('GET', `/environments/acme/${name}`)).status === 200 ? [name] : [],
      ),
    );
    const all = [...existing, ...kinds].flat();
    const reported = all.filter((name) => !name.endsWith('-silent'));
    return {
      listArtifacts: [`/artifacts/acme?flow_name=${flow}`],
      listFlowArtifacts: [`/artifacts/acme/${flow}`],
      getArtifact: [`/artifacts/acme/${flow}/fingerprint/${fingerprint}`],
      getArtifactsOfCommit: [`/artifacts/acme/${flow}/commit_sha/${commit}`],
      getLatestCommit: [
        `/artifacts/acme/${flow}/${fingerprint}/latest_commit`,
        `/artifacts/acme/${flow}/${digest('x')}/latest_commit?branch=main`,
      ],
      search: [`/search/acme/sha/${fingerprint}`, `/search/acme/sha/${commit}`, `/search/acme/sha/${digest(env)}`],
      findAnything: [env, flow, fingerprint, digest(env), names.control].map((q) => `/search/acme?q=${q}`),
      listAttestationTypes: ['/custom-attestation-types/acme'],
      getAttestationType: [`/custom-attestation-types/acme/${names.type}`],
      listAttestations: attestations.map(({ attestation_id: id }) => `/attestations/acme?attestation_id=${id}`),
      listFlowAttestations: [`/attestations/acme/${flow}`],
      listCommitAttestations: [`/attestations/acme/list_attestations_for_criteria?commit_list=${commit}`],
      listSystemAttestationTypes: ['/attestations/system-attestation-types'],
      listTrailAttestations: ['tests', 'review', 'jira', 'snyk', 'sonar', 'pr', 'custom', 'decided', 'bom'].map(
        (name) => `/attestations/acme/${flow}/trail/${trail}/${name}`,
      ),
      listArtifactAttestations: [`/attestations/acme/${flow}/artifact/${fingerprint}/${attestation}`],
      listEnvironments: ['/environments/acme'],
      getEnvironment: all.map((name) => `/environments/acme/${name}`),
      listFlows: ['/flows/acme'],
      getFlow: [`/flows/acme/${flow}`],
      listAllowed: [`/allowlists/acme/${env}`],
      listControls: ['/controls/acme'],
      getControl: [`/controls/acme/${names.control}`],
      listControlTags: ['/controls/acme/tags'],
      listControlVersions: [`/controls/acme/${names.control}/versions`],
      getControlVersion: [`/controls/acme/${names.control}/versions/1`],
      listControlDecisions: [`/controls/acme/${names.control}/decisions`],
      getControlDecision: decisions.map(({ attestation_id: id }) => `/controls/acme/${names.control}/decisions/${id}`),
      getOrganization: ['/organizations/acme'],
      listAllAllowed: ['/allowlists/acme'],
      getControlCoverage: [`/controls/acme/${names.control}/coverage`],
      listEnvironmentEvents: reported.map((name) => `/environments/acme/${name}/events`),
      findComponents: ['/components/acme?name=tea', '/components/acme?name=tea&range=1'],
      listArtifactComponents: [`/components/acme/artifacts/${names.fingerprint}`],
      listEnvironmentComponents: reported.map((name) => `/components/acme/environments/${name}`),
      compareComponents: [`/components/acme/compare?snappish1=${env}%231&snappish2=${env}`],
      listVulnerabilities: ['/vulnerabilities/acme'],
      getEnvironmentExposure: reported.map((name) => `/vulnerabilities/acme/exposure/${name}`),
      listArtifactVulnerabilities: [`/vulnerabilities/acme/artifacts/${names.fingerprint}`],
      getVulnerability: ['CVE-2024-1', 'CVE-2024-2', 'CVE-2024-3', 'CVE-2024-4'].map(
        (id) => `/vulnerabilities/acme/${id}`,
      ),
      diffEnvironments: [
        `/env-diff/acme?snappish1=${env}%231&snappish2=${env}`,
        `/env-diff/acme?snappish1=${env}&snappish2=${env}&per_page=1`,
      ],
      compareEnvironments: [`/compare/acme?from=${env}%231&to=${env}`],
      listInvitations: ['/organizations/acme/invitations'],
      listMembers: ['/organizations/acme/members'],
      listAuditLog: ['/audit-log/acme'],
      listEvents: ['/events/acme'],
      listMembershipEvents: ['/membership-audit-log/acme'],
      getVersion: ['/version'],
      signingKeys: ['/signing-keys'],
      listNotifications: [NOTIFICATIONS],
      getNotification: alerts.map(({ number }) => `${NOTIFICATIONS}/${number}`),
      listActions: ['/actions/acme'],
      getAction: (await actions()).map(({ number }) => `/actions/acme/${number}`),
      listDeliveries: (await actions()).map(({ number }) => `${NOTIFICATIONS}/${number}/deliveries`),
      listTargetConfigs: [TARGET_CONFIGS],
      getNotificationConfig: ['/notification-config/acme/api_key_expiry'],
      getTargetConfig: [`${TARGET_CONFIGS}/${names.config}`],
      listPolicies: ['/policies/acme'],
      getPolicy: [`/policies/acme/${names.policy}`],
      assertArtifact: ['', `?flow_name=${flow}`, `?environment_name=${env}`, `?policy_name=${names.policy}`].map(
        (query) => `/asserts/acme/fingerprint/${fingerprint}${query}`,
      ),
      listRepos: ['/repos/acme'],
      getRepo: repos.map(({ id }) => `/repos/acme/${id}?id=${id}`),
      listRepoTags: ['/repos/acme/tags'],
      getRepoFilterOptions: ['/repos/acme/filter-options'],
      getRepoLiveArtifacts: repos.map(({ id, name }) => `/repos/acme/live-artifacts/${name}?id=${id}`),
      listBuilds: ['/builds/acme?per_page=50'],
      getBuildStatistics: ['/builds/acme/statistics'],
      listRepoDeployments: repos.map(({ id }) => `/repos/acme/${id}/deployments?${window}`),
      getDeployment: [`/deployments/acme/${env}/${fingerprint}`],
      listEnvironmentDeployments: [`/environments/acme/${env}/deployments?from=2000-01-01`],
      getDeploymentFrequency: ['', `?flow_id=${flow}`].map(
        (query) => `/environments/acme/${env}/deployment_frequency${query}`,
      ),
      getRepoDeploymentStatistics: repos.map(({ id }) => `/repos/acme/${id}/deployment-statistics?start_ts=0`),
      listDeployments: [`/deployments/acme?${window}`],
      listDetailedDeployments: [`/deployments/acme/detailed?${window}`],
      getDeploymentMetrics: ['/deployments/acme/metrics'],
      getDeliveryFigures: ['', '?by=repository'].map((query) => `/deployments/acme/figures${query}`),
      listServiceAccounts: ['/service-accounts/acme'],
      getServiceAccount: [`/service-accounts/acme/${account}`],
      listServiceAccountKeys: [`/service-accounts/acme/${account}/api-keys`],
      getServiceAccountKey: [`/service-accounts/acme/${account}/api-keys/${key?.id}`],
      listUserKeys: ['/user/api-keys'],
      listIdentities: ['/user/identities'],
      getRetention: ['/retention/acme'],
      listSpaces: ['/spaces/acme'],
      getSpace: spaces.map(({ id }) => `/spaces/acme/${id}`),
      listSnapshots: reported.map((name) => `/snapshots/acme/${name}`),
      getSnapshot: reported.flatMap((name) =>
        ['1', '-1', '-1?page=1', '-1?show=non-compliant'].map((expr) => `/snapshots/acme/${name}/${expr}`),
      ),
      listTrails: [`/trails/acme?flow=${flow}`],
      listFlowTrails: [`/trails/acme/${flow}`],
      getTrail: [`/trails/acme/${flow}/${trail}`],
      getDefaultOrganization: ['/user/default-org'],
      getSession: ['/session'],
    };
  }

  /** Reads all that was created. The caller checks each answer by the OpenAPI document, which names all its fields. */
  async function readAll(example: CreatedResources): Promise<FieldCoverage> {
    const person: Caller = world().withHeader(`Bearer ${userKeyOf('admin')}`);
    const filled: FieldCoverage = new Map();
    for (const [id, paths] of Object.entries(await pathsOf(example))) {
      for (const path of paths) {
        const caller = path.startsWith('/user/') ? person : admin();
        world().contract.noteFilled(id, await caller.get(path), filled);
      }
    }
    await admin().get('/attestations/acme');
    return filled;
  }

  it('knows every route that answers with JSON of a resource', async () => {
    const own: Route[] = Object.values(routes);
    const reads = own.filter(({ method, media, permission, id, answers }) => {
      const isRead = method === 'GET' && media === undefined && Object.keys(answers).length > 0;
      return isRead && (permission !== 'public' || id === 'signingKeys');
    });
    const paths = Object.keys(await pathsOf(await poorest()));
    expect(paths.sort()).toEqual(reads.map(({ id }) => id).sort());
  });

  it('answers of every resource in its poorest form have the types that clients take them for', async () => {
    expect((await readAll(await poorest())).size).toBeGreaterThan(0);
  }, 120_000);

  it('answers of every resource in its richest form have them too, and leave nothing empty', async () => {
    const empty = [...(await readAll(await richest()))].filter(([name, there]) => !there && !NEVER.includes(name));
    expect(empty.map(([name]) => name)).toEqual([]);
  }, 120_000);
});
