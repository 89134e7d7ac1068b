import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import type { FlowAnswer } from '@assurance/contracts/flows/answers/flow';
import type { TrailPage } from '@assurance/contracts/flows/answers/trail';
import type { AssertAnswer } from '@assurance/contracts/policies/answers/decision';
import {
  artifact,
  attach,
  digest,
  environment,
  flow,
  flowForm,
  fresh,
  item,
  policy,
  policyYaml,
  post,
  report,
  sha1,
} from './support/samples';
import { onEveryDeployment } from './support/world';

const TEMPLATE =
  'version: 1\ntrail:\n  artifacts:\n    - name: web\n      attestations: [{name: scan, type: generic}]\n';
const STRICT = policyYaml(
  '  provenance: {required: true}\n  trail-compliance: {required: true}\n  attestations: [{type: generic, name: scan}]\n',
);

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const data = (fields: object) => {
    const form = new FormData();
    form.set('data_json', JSON.stringify({ attestation_name: 'scan', is_compliant: true, ...fields }));
    return { form };
  };
  const archive = (name: string) => caller().expect(200, 'PUT', `/flows/acme/${name}/archive`);

  /** A flow with a trail whose artifact runs, judged by all that a policy can ask of a flow. */
  async function judged() {
    const [name, env] = [await flow(caller(), TEMPLATE), await environment(caller())];
    const web = digest(name);
    const trail = sha1(web);
    await post(caller(), name, artifact(web));
    await caller().expect(
      ...([201, 'POST', `/attestations/acme/${name}/trail/${trail}/generic`] as const),
      data({ artifact_fingerprint: web }),
    );
    await attach(caller(), env, await policy(caller(), STRICT));
    await report(caller(), env, [item({ 'web:1': web })]);
    return { name, env, web, trail };
  }

  it('changes no trails, artifacts, evidence, snapshots and deployments', async () => {
    const { name, env, web, trail } = await judged();
    const paths = [
      `/trails/acme/${name}/${trail}`,
      `/trails/acme?flow=${name}&per_page=50`,
      `/artifacts/acme?flow_name=${name}`,
      `/artifacts/acme/${name}/fingerprint/${web}`,
      `/attestations/acme/${name}/trail/${trail}/scan`,
      `/deployments/acme?env_name=${env}&start_ts=0&end_ts=9999999999`,
      `/search/acme/sha/${web}`,
      `/asserts/acme/fingerprint/${web}?flow_name=${name}`,
    ];
    const read = () => Promise.all(paths.map((path) => caller().get<unknown>(path)));
    const [before, snapshot] = [await read(), await caller().get<SnapshotAnswer>(`/snapshots/acme/${env}/-1`)];
    expect([snapshot.index, snapshot.compliant]).toEqual([1, true]);
    expect(await archive(name)).toBe('OK');
    const archived = await caller().get<FlowAnswer>(`/flows/acme/${name}`);
    expect(await archive(name)).toBe('OK');
    expect(await caller().get(`/flows/acme/${name}`)).toEqual(archived);
    expect(await read()).toEqual(before);
    const audited = await caller().bytes(`/trails/acme/${name}/${trail}/audit_package`);
    expect(audited.type).toBe('application/gzip');
    expect((await caller().get<TrailPage>(paths[1] ?? '')).data).toHaveLength(1);
    expect(await caller().get(`/snapshots/acme/${env}/1`)).toMatchObject({
      compliant: true,
      next_snapshot_timestamp: null,
    });
    expect((await caller().get<FlowAnswer[]>('/flows/acme')).map((flowAnswer) => flowAnswer.name)).not.toContain(name);
  });

  it('still counts for policies, gates and environments in which its artifacts start later', async () => {
    const { name, web } = await judged();
    await archive(name);
    const later = await environment(caller());
    const strict = await policy(caller(), STRICT);
    await attach(caller(), later, strict);
    await report(caller(), later, [item({ 'web:1': web })]);
    expect(await caller().get(`/snapshots/acme/${later}/-1`)).toMatchObject({
      compliant: true,
      artifacts: [{ compliant: true, flow_name: name }],
    });
    for (const query of [`?flow_name=${name}`, `?environment_name=${later}`, `?policy_name=${strict}`]) {
      const { compliant } = await caller().get<AssertAnswer>(`/asserts/acme/fingerprint/${web}${query}`);
      expect([query, compliant]).toEqual([query, true]);
    }
  });

  it('accepts nothing new and says why; a put of its name restores it with its content', async () => {
    const { name, web, trail } = await judged();
    await archive(name);
    const message = `Flow named '${name}' has been archived: nothing new can be added to it`;
    const at = `/attestations/acme/${name}/trail/${trail}`;
    const other = artifact(digest(fresh('other')));
    const { trail_name: _trail, template_reference_name: _name, git_commit_info: _info, ...legacy } = other;
    const fields = {
      attestation_name: 'scan',
      reason: 'no',
      new_compliance_status: false,
      original_attestation_type: 'generic',
    };
    const begin = (of: string) => ({ form: flowForm({ name: of, description: '' }) });
    for (const [method, path, sent] of [
      ['PUT', `/trails/acme/${name}`, begin(trail)],
      ['PUT', `/trails/acme/${name}`, begin('another')],
      ['POST', `/artifacts/acme/${name}`, { json: other }],
      ['POST', `/artifacts/acme/${name}`, { json: artifact(web) }],
      ['POST', `/artifacts/acme/${name}`, { json: { ...legacy, commits_list: [other.git_commit_info] } }],
      ['POST', `${at}/generic`, data({})],
      ['POST', `${at}/junit`, data({ is_compliant: undefined, junit_results: [] })],
      ['POST', `${at}/override`, { json: fields }],
    ] as const) {
      expect([path, await caller().refused(400, method, path, sent)]).toEqual([path, { message }]);
    }
    const before = await caller().get(`/trails/acme/${name}/${trail}`);
    await caller().expect(200, 'PUT', '/flows/acme/template_file', { form: flowForm({ name }, TEMPLATE) });
    expect(await caller().get(`/trails/acme/${name}/${trail}`)).toEqual(before);
    expect((await caller().get<FlowAnswer[]>('/flows/acme')).map((flowAnswer) => flowAnswer.name)).toContain(name);
    await caller().expect(201, 'POST', `${at}/generic`, data({ attestation_name: 'more' }));
    await post(caller(), name, other);
  });
});
