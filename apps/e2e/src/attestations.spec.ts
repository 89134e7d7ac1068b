import { createHash, randomBytes } from 'node:crypto';
import type { AttestationAnswer, AttestationListAnswer } from '@assurance/contracts/evidence/answers/attestation';
import type { TrailAnswer } from '@assurance/contracts/flows/answers/trail';
import { artifact, digest, flow, fresh, sha1 } from './support/samples';
import { onEveryDeployment } from './support/world';

const TEMPLATE = `version: 1
trail:
  attestations:
    - name: review
      type: pull_request
  artifacts:
    - name: cli
      attestations: [{ name: tests, type: junit }]
`;
const COMMIT = { sha1: sha1('a'), message: 'Tea', author: 'Ada', branch: 'main', timestamp: 1_700_000_000 };
const PASSED = { junit_results: [{ name: 's', failures: 0, errors: 0, skipped: 0, total: 2, duration: 1.5 }] };
const FAILED = { junit_results: [{ name: 's', failures: 1, errors: 0, skipped: 0, total: 2, duration: 1.5 }] };
const REVIEWED = {
  git_provider: 'github',
  pull_requests: [{ url: 'https://pr/1', approvers: ['a', { username: 'b' }] }],
};

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const at = (flowName: string, trail = 'build-1') => `/attestations/acme/${flowName}/trail/${trail}`;
  const attestForm = (data: unknown, ...files: readonly (readonly [string, Uint8Array | string])[]) => {
    const form = new FormData();
    form.set('data_json', JSON.stringify(data));
    for (const [name, content] of files) form.append('attachment_file', new Blob([content as never]), name);
    return form;
  };
  const attest = (flowName: string, type: string, data: object, trail?: string) =>
    caller().expect<string>(201, 'POST', `${at(flowName, trail)}/${type}`, { form: attestForm(data) });
  const override = (flowName: string, data: object) =>
    caller().expect<string>(201, 'POST', `${at(flowName)}/override`, { json: data });
  const trailOf = (flowName: string, trail = 'build-1') =>
    caller().get<TrailAnswer>(`/trails/acme/${flowName}/${trail}`);
  const attestationsNamed = (flowName: string, name: string) =>
    caller().get<AttestationAnswer[]>(`${at(flowName)}/${name}`);
  const byId = async (id: string) =>
    (await caller().get<AttestationListAnswer>(`/attestations/acme?attestation_id=${encodeURIComponent(id)}`)).data;
  const report = (flowName: string, fingerprint: string, template = 'cli') =>
    caller().expect(201, 'POST', `/artifacts/acme/${flowName}`, {
      json: artifact(fingerprint, {
        git_commit: COMMIT.sha1,
        trail_name: 'build-1',
        template_reference_name: template,
      }),
    });

  it('creates flow and trail if they do not exist', async () => {
    const flowName = fresh('flow');
    expect(await attest(flowName, 'generic', { attestation_name: 'scan', is_compliant: false })).toBe('OK');
    const trail = await trailOf(flowName);
    expect(trail.template.content).toBe('version: 1\n');
    expect(trail.compliance_status).toMatchObject({
      status: 'NON-COMPLIANT',
      attestations_statuses: [
        {
          attestation_name: 'scan',
          attestation_type: 'generic',
          overridden_attestation_id: null,
          status: 'COMPLETE',
          is_compliant: false,
          unexpected: true,
        },
      ],
      artifacts_statuses: {},
    });
    expect(trail.events.map(({ type }) => type)).toEqual(['trail_reported', 'trail_attestation_reported']);
  });

  it('says when evidence was made, where it says so itself', async () => {
    const flowName = await flow(caller(), TEMPLATE);
    const suite = { ...PASSED.junit_results[0], timestamp: 1_700_000_000 };
    await attest(flowName, 'junit', { attestation_name: 'timed', junit_results: [suite] });
    await attest(flowName, 'junit', { attestation_name: 'untimed', ...PASSED });
    const [timed] = await attestationsNamed(flowName, 'timed');
    expect(timed).toMatchObject({ made_at: 1_700_000_000 });
    expect(timed!.created_at).toBeGreaterThan(1_700_000_000);
    expect((await attestationsNamed(flowName, 'untimed'))[0]).not.toHaveProperty('made_at');
  });

  it('turns a trail from incomplete to compliant, and shows every attestation in events and statuses', async () => {
    const flowName = await flow(caller(), TEMPLATE);
    const fingerprint = digest(fresh('artifact'));
    await attest(flowName, 'junit', {
      attestation_name: 'tests',
      target_artifacts: ['cli'],
      git_commit_info: COMMIT,
      ...PASSED,
    });
    const before = await trailOf(flowName);
    expect(before.compliance_status).toMatchObject({
      status: 'INCOMPLETE',
      artifacts_statuses: { cli: { status: 'MISSING', attestations_statuses: [{ status: 'COMPLETE' }] } },
    });
    await report(flowName, fingerprint);
    await attest(flowName, 'pull_request', { attestation_name: 'review', ...REVIEWED });
    await attest(flowName, 'generic', {
      attestation_name: 'more',
      artifact_fingerprint: fingerprint,
      is_compliant: true,
    });
    const trail = await trailOf(flowName);
    expect(trail.compliance_status).toMatchObject({
      status: 'COMPLIANT',
      attestations_statuses: [
        { attestation_name: 'review', status: 'COMPLETE', is_compliant: true, unexpected: false },
      ],
      artifacts_statuses: {
        cli: {
          artifact_fingerprint: fingerprint,
          status: 'COMPLIANT',
          attestations_statuses: [
            { attestation_name: 'tests', attestation_type: 'junit', unexpected: false },
            { attestation_name: 'more', attestation_type: 'generic', unexpected: true },
          ],
        },
      },
    });
    expect(trail.events.map(({ type, target_artifact }) => [type, target_artifact])).toEqual([
      ['trail_reported', undefined],
      ['trail_attestation_for_artifact_reported', 'cli'],
      ['artifact_creation_reported', undefined],
      ['trail_attestation_reported', undefined],
      ['artifact_attestation_reported', 'cli'],
    ]);
    const item = await caller().get<{ state: string }>(`/artifacts/acme/${flowName}/fingerprint/${fingerprint}`);
    expect(item.state).toBe('COMPLIANT');
  });

  it('lets the newest attestation of a name decide, whatever it is bound to', async () => {
    const flowName = await flow(caller(), TEMPLATE);
    const fingerprint = digest(fresh('artifact'));
    await report(flowName, fingerprint);
    const awaited = { attestation_name: 'tests', target_artifacts: ['cli'], git_commit_info: COMMIT };
    await attest(flowName, 'junit', { ...awaited, ...FAILED });
    const state = async () => (await trailOf(flowName)).compliance_status.artifacts_statuses['cli']?.status;
    expect(await state()).toBe('NON-COMPLIANT');
    await attest(flowName, 'junit', { attestation_name: 'cli.tests', artifact_fingerprint: fingerprint, ...PASSED });
    expect(await state()).toBe('COMPLIANT');
    await attest(flowName, 'junit', { ...awaited, ...FAILED });
    expect(await state()).toBe('NON-COMPLIANT');
    expect((await attestationsNamed(flowName, 'tests')).map((attestation) => attestation.is_compliant)).toEqual([
      false,
      true,
      false,
    ]);
    expect(await attestationsNamed(flowName, 'cli.tests')).toHaveLength(3);
    expect(await attestationsNamed(flowName, 'other.tests')).toEqual([]);
    const onArtifact = `/attestations/acme/${flowName}/artifact/${fingerprint}`;
    expect(await caller().get<unknown[]>(`${onArtifact}/tests`)).toHaveLength(3);
    expect(await caller().get<unknown[]>(`${onArtifact}/none`)).toEqual([]);
    await attest(flowName, 'junit', { ...awaited, git_commit_info: { sha1: sha1('b') }, ...PASSED });
    expect(await state()).toBe('NON-COMPLIANT');
  });

  it('overrides existing and missing attestations', async () => {
    const flowName = await flow(caller(), TEMPLATE);
    const fingerprint = digest(fresh('artifact'));
    await report(flowName, fingerprint);
    await attest(flowName, 'junit', { attestation_name: 'tests', artifact_fingerprint: fingerprint, ...FAILED });
    const [failed] = await attestationsNamed(flowName, 'tests');
    const fields = { reason: 'A false alarm', new_compliance_status: true };
    await override(flowName, {
      attestation_name: 'tests',
      target_artifacts: ['cli'],
      git_commit_info: COMMIT,
      ...fields,
      original_attestation_type: 'junit',
    });
    await override(flowName, { attestation_name: 'review', ...fields, original_attestation_type: 'pull_request' });
    const { compliance_status: status } = await trailOf(flowName);
    expect(status).toMatchObject({
      status: 'COMPLIANT',
      attestations_statuses: [{ overridden_attestation_id: null, is_compliant: true, unexpected: false }],
      artifacts_statuses: {
        cli: {
          attestations_statuses: [{ overridden_attestation_id: failed?.attestation_id, attestation_type: 'junit' }],
        },
      },
    });
    const [overridden] = await byId(status.artifacts_statuses['cli']?.attestations_statuses[0]?.attestation_id ?? '');
    expect(overridden).toMatchObject({ attestation_type: 'override', ...fields, is_compliant: true });
    await attest(flowName, 'junit', { attestation_name: 'tests', artifact_fingerprint: fingerprint, ...FAILED });
    expect((await trailOf(flowName)).compliance_state).toBe('NON-COMPLIANT');
  });

  it.each<[string, object, boolean, string, object]>([
    ['generic', { is_compliant: false }, false, 'generic', {}],
    ['junit', PASSED, true, 'junit', PASSED],
    ['jira', { jira_results: null }, false, 'jira', { jira_results: [] }],
    ['jira', { jira_results: [{ issue_id: 'T-1', issue_exists: true, issue_fields: { a: [1] } }] }, true, 'jira', {}],
    [
      'snyk',
      {
        snyk_results: {
          schema_version: 1,
          tool: { name: 's' },
          results: [{ high_count: 0, medium_count: 0, low_count: 2, low: [{ id: 'x', message: '<&>' }] }],
        },
      },
      false,
      'snyk',
      {},
    ],
    [
      'sonar',
      {
        sonar_results: { serverUrl: 'https://s', project: { key: 'k' }, qualityGate: { status: 'OK', conditions: [] } },
      },
      true,
      'sonar',
      {},
    ],
    ['pull_request', { git_provider: 'github', pull_requests: null }, false, 'pull_request', { pull_requests: [] }],
    ['pull_request', REVIEWED, true, 'pull_request', REVIEWED],
    [
      'system',
      { type_name: 'decision', control: 'SDLC-1', attestation_data: { is_compliant: true } },
      true,
      'decision',
      { control: 'SDLC-1', control_version: null },
    ],
  ])('judges %s by its rule and serves what it carries', async (type, data, compliant, text, carried) => {
    const flowName = await flow(caller());
    const common = {
      user_data: { any: [1, 'é'] },
      description: 'Why',
      origin_url: 'https://ci/1',
      external_urls: { log: { href: 'https://log' } },
      annotations: { tool: 'make' },
      git_commit_info: COMMIT,
    };
    await attest(flowName, type, { attestation_name: 'one', ...common, ...data });
    const [listed] = await attestationsNamed(flowName, 'one');
    expect(listed).toMatchObject({
      attestation_type: text,
      is_compliant: compliant,
      git_commit_info: { sha1: COMMIT.sha1 },
      artifact_fingerprint: null,
      flow_name: flowName,
      created_by: 'ci-member',
    });
    const [whole] = await byId(listed?.attestation_id ?? '');
    const { git_commit_info: _, ...rest } = common;
    expect(whole).toMatchObject({ ...rest, ...carried });
    expect(listed).toEqual(whole);
    const page = await caller().get<AttestationListAnswer>(
      `/attestations/acme?flow_name=${flowName}&attestation_type=${text}`,
    );
    expect(page.data).toEqual([expect.not.objectContaining({ user_data: common.user_data })]);
    expect(whole).toMatchObject({ ...page.data[0] });
  });

  it('returns attachments unchanged', async () => {
    const flowName = await flow(caller());
    const big = randomBytes(3_000_000);
    const form = attestForm(
      { attestation_name: 'one', is_compliant: true },
      ['../../etc/pass wd', big],
      ['b.txt', 'tea'],
    );
    await caller().expect(201, 'POST', `${at(flowName)}/generic`, { form });
    const [attestation] = await attestationsNamed(flowName, 'one');
    expect(attestation?.attachments).toEqual([
      { filename: 'pass wd', sha256: createHash('sha256').update(big).digest('hex'), size: big.length },
      { filename: 'b.txt', sha256: createHash('sha256').update('tea').digest('hex'), size: 3 },
    ]);
    const evidencePath = `/api/v2${at(flowName)}/attestation/${attestation?.attestation_id}/evidence`;
    expect(attestation).toMatchObject({
      evidence_archive_path: evidencePath,
      evidence_archive_fingerprint: null,
      has_audit_package: true,
      schema_version: 1,
      reported_by: 'ci-member',
      target_artifacts: [],
      _links: {
        self: expect.stringMatching(
          new RegExp(`/api/v2/attestations/acme\\?attestation_id=${attestation?.attestation_id}$`),
        ),
        evidence: expect.stringMatching(new RegExp(`^http.*${evidencePath}$`)),
      },
    });
    const evidence = await caller().bytes(evidencePath.slice('/api/v2'.length));
    expect(evidence.type).toBe('application/x-tar');
    expect(evidence.content.subarray(0, 7).toString()).toBe('pass_wd');
    expect(evidence.content.subarray(512, 512 + big.length).equals(big)).toBe(true);
    const none = `${at(flowName)}/attestation/${attestation?.attestation_id}x/evidence`;
    expect(await caller().refused(404, 'GET', none)).toEqual({
      message: `Attestation '${attestation?.attestation_id}x' does not exist`,
    });
    await attest(flowName, 'generic', { attestation_name: 'two', is_compliant: true });
    const [two] = await attestationsNamed(flowName, 'two');
    expect(two).toMatchObject({ evidence_archive_path: null, _links: { evidence: null } });
    const empty = `${at(flowName)}/attestation/${two?.attestation_id}/evidence`;
    expect((await caller().refused(404, 'GET', empty)).message).toContain('without evidence');
  });

  it('refuses an attestation without a valid target, with the documented texts', async () => {
    const flowName = await flow(caller());
    const fingerprint = digest(fresh('artifact'));
    const generic = (data: object, status: number) =>
      caller().refused(status, 'POST', `${at(flowName)}/generic`, {
        form: attestForm({ attestation_name: 'one', is_compliant: true, ...data }),
      });
    expect(await generic({ artifact_fingerprint: fingerprint }, 404)).toEqual({
      message: `Artifact with fingerprint ${fingerprint} does not exist in trail "build-1" of flow "${flowName}" belonging to organization "acme"`,
    });
    expect((await generic({ target_artifacts: ['cli'] }, 400)).message).toMatch(
      /requires at least one of: artifact_fingerprint or git_commit_info\.$/,
    );
    expect((await generic({ target_artifacts: ['a', 'b'] }, 400)).errors).toHaveProperty('target_artifacts');
    expect((await generic({ attestation_name: 'a.b.c' }, 400)).errors).toHaveProperty('attestation_name');
    expect((await generic({ attestation_name: '' }, 400)).errors).toHaveProperty('attestation_name');
    expect((await generic({ is_compliant: 'yes' }, 400)).errors).toHaveProperty('is_compliant');
    expect((await generic({ annotations: { 'a b': 'c' } }, 400)).errors).toBeDefined();
    expect((await caller().send('GET', `/trails/acme/${flowName}/build-1`)).status).toBe(404);
    const custom = { attestation_name: 'one', type_name: 'nothing', attestation_data: {} };
    expect(await caller().refused(404, 'POST', `${at(flowName)}/custom`, { form: attestForm(custom) })).toEqual({
      message: "Custom attestation type 'nothing' does not exist for org 'acme'",
    });
    const blank = { attestation_name: 'one', reason: ' ', new_compliance_status: true, original_attestation_type: 'x' };
    expect((await caller().refused(400, 'POST', `${at(flowName)}/override`, { json: blank })).errors).toHaveProperty(
      'reason',
    );
    expect(await byId('nothing')).toEqual([]);
    expect(await byId('0'.repeat(5_000))).toEqual([]);
  });

  it('refuses attestations to an archived flow', async () => {
    const flowName = await flow(caller());
    await caller().expect(200, 'PUT', `/flows/acme/${flowName}/archive`, { json: null });
    const form = attestForm({ attestation_name: 'one', is_compliant: true });
    expect((await caller().refused(400, 'POST', `${at(flowName)}/generic`, { form })).message).toContain('archived');
  });

  it('judges a trail by the template of its newest event', async () => {
    const flowName = await flow(caller());
    await attest(flowName, 'generic', { attestation_name: 'one', is_compliant: true });
    const form = new FormData();
    form.set('data_json', JSON.stringify({ name: flowName, description: '' }));
    form.set('template_file', new Blob([TEMPLATE]), 't.yml');
    await caller().expect(200, 'PUT', '/flows/acme/template_file', { form });
    expect((await trailOf(flowName)).compliance_state).toBe('COMPLIANT');
    await attest(flowName, 'generic', { attestation_name: 'two', is_compliant: true });
    expect((await trailOf(flowName)).compliance_state).toBe('INCOMPLETE');
  });

  it('stores payloads that are larger than a commit', async () => {
    const flowName = await flow(caller());
    const junit_results = Array.from({ length: 5_000 }, (_, i) => ({
      name: `suite ${i} ${'é'.repeat(30)}`,
      failures: 0,
      errors: 0,
      skipped: 0,
      total: i,
      duration: 0.5,
    }));
    await attest(flowName, 'junit', { attestation_name: 'tests', junit_results, user_data: 'x'.repeat(250_000) });
    const [attestation] = await attestationsNamed(flowName, 'tests');
    const [whole] = await byId(attestation?.attestation_id ?? '');
    expect(whole?.junit_results).toEqual(junit_results);
    expect(whole?.user_data).toHaveLength(250_000);
    expect((await trailOf(flowName)).compliance_state).toBe('COMPLIANT');
  });

  it('is allowed to members of the organization only', async () => {
    const flowName = await flow(caller());
    const form = () => attestForm({ attestation_name: 'one', is_compliant: true });
    const to = `${at(flowName)}/generic`;
    await world().as('reader').refused(403, 'POST', to, { form: form() });
    await world().as('snapshotter').refused(403, 'POST', to, { form: form() });
    await world().withHeader(null).refused(401, 'POST', to, { form: form() });
  });
});
