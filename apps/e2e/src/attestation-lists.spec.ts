import type {
  AttestationAnswer,
  AttestationListAnswer,
  FlowAttestationsAnswer,
} from '@assurance/contracts/evidence/answers/attestation';
import type { SystemAttestationTypeAnswer } from '@assurance/contracts/evidence/answers/system-type';
import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import type { AssertAnswer } from '@assurance/contracts/policies/answers/decision';
import { eventually } from './support/eventually';
import {
  artifact,
  attach,
  digest,
  environment,
  flow,
  fresh,
  item,
  policy,
  policyYaml,
  post as postArtifact,
  report,
  sbomOf,
  sha1,
} from './support/samples';
import { withUnpacked } from './support/unpacked';
import { onEveryDeployment } from './support/world';

interface Refusal {
  readonly errors: Readonly<Record<string, string>>;
}

const form = (data: unknown, file?: readonly [string, string | Uint8Array]) => {
  const body = new FormData();
  body.set('data_json', JSON.stringify(data));
  if (file !== undefined) body.append('attachment_file', new Blob([file[1] as never]), file[0]);
  return body;
};

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const attest = (flow: string, type: string, data: object, trail = 'build-1') =>
    caller().expect(201, 'POST', `/attestations/acme/${flow}/trail/${trail}/${type}`, { form: form(data) });
  const generic = (flow: string, name: string, is_compliant = true, more: object = {}) =>
    attest(flow, 'generic', { attestation_name: name, is_compliant, ...more });
  const list = (query: string) => caller().get<AttestationListAnswer>(`/attestations/acme?${query}`);
  const namesOf = async (query: string) => (await list(query)).data.map(({ attestation_name: name }) => name);
  const refused = (path: string) => caller().expect<Refusal>(400, 'GET', path);

  it('lists attestations by name, pattern, flow, type, verdict and time, and follows links to the end', async () => {
    const [firstFlow, secondFlow] = [fresh('flow'), fresh('flow')];
    await generic(firstFlow, 'unit-test');
    await generic(firstFlow, 'load-test', false);
    await attest(secondFlow, 'jira', { attestation_name: 'issue', jira_results: [] });
    await generic(secondFlow, 'unit-test', false);
    const flowsQuery = `flow=${firstFlow},${secondFlow}`;
    expect(await namesOf(flowsQuery)).toEqual(['unit-test', 'issue', 'load-test', 'unit-test']);
    expect(await namesOf(`flow=${firstFlow}&flow=${secondFlow}&name=unit-test`)).toEqual(['unit-test', 'unit-test']);
    expect(await namesOf(`${flowsQuery}&name_regex=test$`)).toEqual(['unit-test', 'load-test', 'unit-test']);
    expect(await namesOf(`${flowsQuery}&name_regex=^(l|i)`)).toEqual(['issue', 'load-test']);
    expect(await namesOf(`${flowsQuery}&type=jira,pull_request`)).toEqual(['issue']);
    expect(await namesOf(`flow_name=${secondFlow}&attestation_type=generic`)).toEqual(['unit-test']);
    expect(await namesOf(`${flowsQuery}&is_compliant=True`)).toEqual(['unit-test']);
    expect(await namesOf(`${flowsQuery}&from_timestamp=4000000000`)).toEqual([]);
    expect(await namesOf(`${flowsQuery}&from_timestamp=0&to_timestamp=4000000000&per_page=2`)).toHaveLength(2);

    for (const query of [
      `${flowsQuery}&is_compliant=False&per_page=1`,
      `flow=${secondFlow}&per_page=1`,
      `${flowsQuery}&name_regex=.&per_page=1`,
    ]) {
      const expected = await namesOf(query.replace('per_page=1', 'per_page=100'));
      const results: string[] = [];
      for (let at: string | undefined = `/attestations/acme?${query}`; at !== undefined;) {
        const page: AttestationListAnswer = await caller().get(at);
        results.push(...page.data.map(({ attestation_name: name }) => name));
        at = page._links.next?.replace(/^.*\/api\/v2/, '');
      }
      expect(results).toEqual(expected);
    }
  });

  it('refuses filters that contradict each other or cannot be read', async () => {
    expect((await refused('/attestations/acme?name=a&name_regex=b')).errors).toHaveProperty('name_regex');
    expect((await refused('/attestations/acme?name_regex=(')).errors).toHaveProperty('name_regex');
    expect((await refused('/attestations/acme?name_regex=((a{100}){100}){100}')).errors).toHaveProperty('name_regex');
    expect((await refused('/attestations/acme?from_timestamp=2&to_timestamp=1')).errors).toHaveProperty(
      'from_timestamp',
    );
    expect((await refused('/attestations/acme?per_page=101')).errors).toHaveProperty('per_page');
    const criteria = '/attestations/acme/list_attestations_for_criteria';
    expect((await refused(criteria)).errors).toHaveProperty('commit_list');
    expect((await refused(`${criteria}?commit_list=abc`)).errors).toHaveProperty('commit_list');
    await caller().expect(404, 'GET', `/attestations/acme?flow=${fresh('flow')}`);
    await caller().expect(404, 'GET', `/attestations/acme/${fresh('flow')}`);
  });

  it('lists attestations of a flow in pages that are counted, with payloads', async () => {
    const flow = fresh('flow');
    for (const name of ['a', 'b', 'c']) await generic(flow, name, true, { annotations: { 'of-name': name } });
    const get = (query: string) => caller().get<FlowAttestationsAnswer>(`/attestations/acme/${flow}?${query}`);
    const first = await get('per_page=2');
    expect(first.pagination).toEqual({ total: 3, page: 1, per_page: 2, page_count: 2 });
    expect(first.data.map(({ annotations }) => annotations)).toEqual([{ 'of-name': 'c' }, { 'of-name': 'b' }]);
    expect((await get('per_page=2&page=2')).data.map(({ attestation_name: name }) => name)).toEqual(['a']);
    expect(await get('to_timestamp=1')).toEqual({
      data: [],
      pagination: { total: 0, page: 1, per_page: 20, page_count: 0 },
    });
  });

  it('lists attestations of commits, by commit, newest first', async () => {
    const [flow, other] = [fresh('flow'), fresh('flow')];
    const [a, b] = [sha1(fresh('commit')), sha1(fresh('commit'))];
    const of = (sha: string) => ({ git_commit_info: { sha1: sha, verified: true, signature_state: 'valid' } });
    await generic(flow, 'review', true, of(a));
    await generic(flow, 'review', false, of(a));
    await generic(other, 'review', true, of(a));
    await attest(flow, 'jira', { attestation_name: 'issue', jira_results: [], ...of(b) });
    const get = async (query: string) => {
      const path = `/attestations/acme/list_attestations_for_criteria?${query}`;
      const result = await caller().get<Readonly<Record<string, AttestationAnswer[]>>>(path);
      const results = Object.entries(result).map(
        ([commit, all]) => [commit, all.map((attestation) => attestation.is_compliant)] as const,
      );
      return Object.fromEntries(results);
    };
    const none = sha1(fresh('commit'));
    expect(await get(`commit_list=${a}&commit_list=${b}&commit_list=${none}`)).toEqual({
      [a]: [true, false, true],
      [b]: [false],
      [none]: [],
    });
    expect(await get(`commit_list=${a},${b}&flow_name=${flow}&attestation_type=generic`)).toEqual({
      [a]: [false, true],
      [b]: [],
    });
    expect(await get(`commit_list=${b}&attestation_name=issue`)).toEqual({ [b]: [false] });
    const path = `/attestations/acme/list_attestations_for_criteria?commit_list=${b}`;
    const answer = await caller().get<Readonly<Record<string, AttestationAnswer[]>>>(path);
    expect(answer[b]?.[0]?.git_commit_info).toMatchObject({ sha1: b, verified: true, signature_state: 'valid' });
  });

  it('lists built-in types with complete schemas', async () => {
    const types = await caller().get<SystemAttestationTypeAnswer[]>('/attestations/system-attestation-types');
    const names = types.map(({ name }) => name);
    const all = ['decision', 'generic', 'jira', 'junit', 'override', 'pull_request', 'sbom', 'snyk', 'sonar'];
    expect(names).toEqual(all);
    expect(JSON.stringify(types)).not.toContain('#/components');
    await world().withHeader(null).expect(401, 'GET', '/attestations/system-attestation-types');
  });

  it('finds attestations and packages by the beginning of a fingerprint, and an artifact by its attestation', async () => {
    const flow = fresh('flow');
    const fingerprint = digest(fresh('artifact'));
    for (const trail_name of ['one', 'two']) {
      const json = artifact(fingerprint, { git_commit: sha1('a'), trail_name, template_reference_name: 'cli' });
      if (trail_name === 'one') await caller().expect(201, 'PUT', `/flows/acme`, { json: { name: flow } });
      await caller().expect(201, 'POST', `/artifacts/acme/${flow}`, { json });
    }
    await attest(
      flow,
      'generic',
      { attestation_name: 'scan', is_compliant: true, artifact_fingerprint: fingerprint },
      'one',
    );
    const short = fingerprint.slice(0, 12);
    const results = await caller().get<AttestationAnswer[]>(`/attestations/acme/${flow}/artifact/${short}/scan`);
    expect(results).toHaveLength(1);
    const id = results[0]?.attestation_id ?? '';
    const path = `/artifacts/acme/${flow}/fingerprint/${short}`;
    await caller().bytes(`${path}/audit_package`);
    expect(await caller().get(path)).toMatchObject({ trail_name: 'two' });
    expect(await caller().get(`${path}?attestation_id=${id}`)).toMatchObject({ trail_name: 'one' });
    await caller().expect(404, 'GET', `${path}?attestation_id=${fresh('id')}`);
  });

  it('takes what published clients send: JSON as a text, decisions without a control, other revisions, evaluators', async () => {
    const flow = fresh('flow');
    const type = fresh('type');
    const typeForm = (data: object, schema?: string) => {
      const body = form(data);
      if (schema !== undefined) body.append('type_schema', new Blob([schema]), 'schema.json');
      return body;
    };
    const post = (status: number, data: object, schema?: string) =>
      caller().expect<Refusal>(status, 'POST', '/custom-attestation-types/acme', { form: typeForm(data, schema) });
    await post(201, { name: type, evaluator: { rules: ['length > 1'] } }, '{"type":"array"}');
    await post(201, { name: fresh('type'), evaluator: { content_type: 'default' } });
    const contradiction = await post(400, {
      name: fresh('type'),
      evaluator: { content_type: 'default', rules: ['.a'] },
    });
    expect(contradiction.errors).toHaveProperty(['evaluator.rules']);
    expect((await post(400, { name: fresh('type'), evaluator: { content_type: 'jq' } })).errors).toHaveProperty([
      'evaluator.rules',
    ]);
    await attest(flow, 'custom', { attestation_name: 'text', type_name: type, attestation_data: '[1, 2]' });
    await attest(flow, 'system', {
      attestation_name: 'free',
      type_name: 'decision',
      attestation_data: '{"is_compliant": true}',
    });
    await generic(flow, 'revision', true, { git_commit_info: { sha1: 'r4711' } });
    const get = async (name: string) =>
      (await caller().get<AttestationAnswer[]>(`/attestations/acme/${flow}/trail/build-1/${name}`))[0];
    expect(await get('text')).toMatchObject({ attestation_data: [1, 2], is_compliant: true });
    expect(await get('free')).toMatchObject({ attestation_data: { is_compliant: true }, is_compliant: true });
    expect(await get('free')).not.toHaveProperty('control');
    expect(await get('revision')).toMatchObject({ git_commit_info: { sha1: 'r4711' } });
    const path = `/attestations/acme/${flow}/trail/build-1`;
    const broken = { attestation_name: 'x', type_name: 'decision', attestation_data: '{"is_compliant": 1' };
    expect(
      (await caller().expect<Refusal>(400, 'POST', `${path}/system`, { form: form(broken) })).errors,
    ).toHaveProperty('attestation_data');
    const awaited = {
      attestation_name: 'x',
      is_compliant: true,
      target_artifacts: ['cli'],
      git_commit_info: { sha1: 'r1' },
    };
    expect(
      (await caller().expect<Refusal>(400, 'POST', `${path}/generic`, { form: form(awaited) })).errors,
    ).toHaveProperty(['git_commit_info.sha1']);
  });
});

onEveryDeployment((world) => {
  const BOM = sbomOf([{ type: 'library', name: 'tea', version: '1', purl: 'pkg:npm/tea@1' }], {
    metadata: { timestamp: '2026-10-01T12:00:00Z', component: { type: 'application', name: 'shop', version: '1.4' } },
  });
  const data = (text: string) => ({
    attestation_name: 'bom',
    type_name: 'sbom',
    annotations: { sbom_format: 'cyclonedx-1.6', sbom_sha256: digest(text) },
    attestation_data: {
      format: 'cyclonedx-1.6',
      original_fingerprint: digest(text),
      document: {
        created_at: null,
        tools: null,
        subject: { name: 'shop', version: null, purl: null, sha256: null },
        package_count: 1,
      },
    },
  });
  const caller = () => world().as('member');
  const at = (flow: string) => `/attestations/acme/${flow}/trail/build-1`;
  const post = <T>(status: number, flow: string, sent: unknown, file?: readonly [string, string]) =>
    caller().expect<T>(status, 'POST', `${at(flow)}/system`, { form: form(sent, file) });

  it('reads an attached bill of materials and holds templates to its type', async () => {
    const flow = fresh('flow');
    const template = 'version: 1\ntrail:\n  attestations:\n    - name: bom\n      type: sbom\n';
    const body = new FormData();
    body.set('data_json', JSON.stringify({ name: flow }));
    body.append('template_file', new Blob([template]), 'template.yml');
    await caller().expect(201, 'PUT', '/flows/acme/template_file', { form: body });
    expect(await post(201, flow, data(BOM), ['bom.json', BOM])).toBe('OK');
    const [result] = await caller().get<AttestationAnswer[]>(`${at(flow)}/bom`);
    expect(result).toMatchObject({
      attestation_type: 'sbom',
      is_compliant: true,
      attestation_data: data(BOM).attestation_data,
      attachments: [{ filename: 'bom.json', sha256: digest(BOM) }],
      sbom: {
        format: 'cyclonedx-1.6',
        created_at: '2026-10-01T12:00:00Z',
        tools: null,
        package_count: 1,
        subject: { name: 'shop', version: '1.4', purl: null, sha256: null },
      },
    });
    const listed = await caller().get<AttestationListAnswer>(`/attestations/acme?flow=${flow}&type=sbom`);
    expect(listed.data.map(({ attestation_id: id }) => id)).toEqual([result?.attestation_id]);
    const trail = await caller().get<{ compliance_state: string }>(`/trails/acme/${flow}/build-1`);
    expect(trail.compliance_state).toBe('COMPLIANT');
    await caller().bytes(`/trails/acme/${flow}/build-1/audit_package`);
  });

  it('takes the type in policies', async () => {
    const body = new FormData();
    body.set('payload', JSON.stringify({ name: fresh('policy') }));
    const policy =
      '_schema: https://example.com/schemas/policy/environment/v1\nartifacts:\n  attestations:\n    - type: sbom\n';
    body.append('policy_file', new Blob([policy]), 'policy.yml');
    await world().as('admin').expect(201, 'PUT', '/policies/acme', { form: body });
  });

  it('meets a policy that demands it: in environments, asserts and audit packages', async () => {
    const [built, env, web] = [await flow(caller()), await environment(caller()), digest(fresh('web'))];
    await postArtifact(caller(), built, artifact(web, { trail_name: 'build-1' }));
    await attach(caller(), env, await policy(caller(), policyYaml('  attestations: [{type: sbom, name: bom}]\n')));
    await report(caller(), env, [item({ web })]);
    const newest = () => caller().get<SnapshotAnswer>(`/snapshots/acme/${env}/-1`);
    const assert = () => caller().get<AssertAnswer>(`/asserts/acme/fingerprint/${web}?environment_name=${env}`);
    expect([(await newest()).compliant, (await assert()).compliant]).toEqual([false, false]);
    await post(201, built, { ...data(BOM), artifact_fingerprint: web }, ['bom.json', BOM]);
    const judged = await eventually(newest, ({ index }) => index > 1);
    expect([judged.compliant, (await assert()).compliant]).toEqual([true, true]);
    const { content } = await caller().bytes(`/trails/acme/${built}/build-1/audit_package`);
    await withUnpacked(content, (tar) => {
      expect(digest(tar.bytes(tar.one(/^attestations\/.*bom\.json$/)).toString())).toBe(digest(BOM));
      expect(tar.bytes(tar.one(/^attestations\/.*payload\.json$/)).toString()).toContain('"cyclonedx-1.6"');
    });
  });

  it('refuses a file that is none, another digest, and no file', async () => {
    const flow = fresh('flow');
    const odd = await post<Refusal>(400, flow, data('{}'), ['bom.json', '{}']);
    expect(odd.errors['attachment_file']).toMatch(/no bill of materials: it is JSON of another kind/);
    const other = await post<Refusal>(400, flow, data('{}'), ['bom.json', BOM]);
    expect(other.errors).toHaveProperty(['attestation_data.original_fingerprint']);
    expect((await post<Refusal>(400, flow, data(BOM))).errors).toHaveProperty('attachment_file');
    const { attestation_data: _, ...without } = data(BOM);
    expect((await post<Refusal>(400, flow, without, ['bom.json', BOM])).errors).toHaveProperty('attestation_data');
    expect(await caller().send('GET', `${at(flow)}/bom`)).toMatchObject({ status: 404 });
  });

  it('takes 60 MiB', async () => {
    const flow = fresh('flow');
    const components = Array.from(
      { length: 60 },
      (_, i) => `{"name":"n${i}","description":"${'x'.repeat(1024 * 1024)}"}`,
    );
    const large = `{"bomFormat":"CycloneDX","specVersion":"1.5","components":[${components.join(',')}]}`;
    await post(201, flow, data(large), ['bom.json', large]);
    const [result] = await caller().get<AttestationAnswer[]>(`${at(flow)}/bom`);
    expect(result?.sbom).toMatchObject({ format: 'cyclonedx-1.5', package_count: 60 });
  });
});
