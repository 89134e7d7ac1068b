import type { AllowedAnswer, AllowlistPage } from '@assurance/contracts/environments/answers/allowlist';
import type { EnvironmentAnswer } from '@assurance/contracts/environments/answers/environment';
import type { EnvironmentEvent } from '@assurance/contracts/environments/answers/environment-event';
import type { SnapshotAnswer, SnapshotListItem } from '@assurance/contracts/environments/answers/snapshot';
import type { AssertAnswer } from '@assurance/contracts/policies/answers/decision';
import type { PolicyAnswer } from '@assurance/contracts/policies/answers/policy';
import { eventually } from './support/eventually';
import {
  artifact,
  attach,
  CREATED,
  digest,
  environment,
  flow,
  flowForm,
  fresh,
  item,
  policy,
  policyForm,
  policyYaml,
  post,
  PROVENANCE,
  report,
  sha1,
} from './support/samples';
import { onEveryDeployment } from './support/world';

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const newest = (env: string) => caller().get<SnapshotAnswer>(`/snapshots/acme/${env}/-1`);
  const stateOf = async (env: string) => (await caller().get<EnvironmentAnswer>(`/environments/acme/${env}`)).state;
  const verdicts = ({ artifacts }: SnapshotAnswer) => artifacts.map(({ compliant }) => compliant);
  const tag = (name: string, tags: object) =>
    caller().expect(200, 'PATCH', `/tags/acme/flow/${name}`, { json: { set_tags: tags } });

  it('tells whether anything judged a snapshot, or an assert', async () => {
    const env = await environment(caller());
    const fingerprint = digest(`judged in ${env}`);
    await post(caller(), await flow(caller()), artifact(fingerprint));
    await report(caller(), env, [item({ 'web:1': fingerprint })]);
    const list = async () =>
      (await caller().get<SnapshotListItem[]>(`/snapshots/acme/${env}`)).map((snapshot) => [
        snapshot.compliant,
        snapshot.is_judged,
      ]);
    const asserted = (query: string) => caller().get<AssertAnswer>(`/asserts/acme/fingerprint/${fingerprint}${query}`);
    expect(await newest(env)).toMatchObject({ index: 1, compliant: false, is_judged: false });
    expect(await list()).toEqual([[false, false]]);
    expect(await asserted(`?environment_name=${env}`)).toMatchObject({ compliant: true, is_judged: false });
    expect(await asserted('')).toMatchObject({ is_judged: true });

    const name = await policy(caller(), PROVENANCE);
    await attach(caller(), env, name);
    const second = await eventually(
      () => newest(env),
      ({ index }) => index === 2,
    );
    expect(second).toMatchObject({ compliant: true, is_judged: true });
    expect(await list()).toEqual([
      [true, true],
      [false, false],
    ]);
    expect(await asserted(`?environment_name=${env}`)).toMatchObject({ compliant: true, is_judged: true });
    expect(await asserted(`?policy_name=${name}`)).toMatchObject({ compliant: true, is_judged: true });

    const strict = await environment(caller(), { require_provenance: true });
    await report(caller(), strict, [item({ 'web:2': digest(`unknown in ${strict}`) })]);
    expect(await newest(strict)).toMatchObject({ compliant: false, is_judged: true });
    expect(await asserted(`?environment_name=${strict}`)).toMatchObject({ compliant: true, is_judged: true });
  });

  describe('a policy', () => {
    it('has versions and events; the same text creates no version', async () => {
      const name = await policy(caller(), PROVENANCE);
      await policy(caller(), PROVENANCE, name);
      const other = policyYaml('  trail-compliance: {required: true}\n');
      const form = policyForm({ name, description: 'What runs was built', comment: 'stricter' }, other);
      await caller().expect(200, 'PUT', '/policies/acme', { form });
      const env = await environment(caller());
      await attach(caller(), env, name);
      await caller().expect(200, 'DELETE', `/environments/acme/${env}/policies`, { json: { policy_names: [name] } });
      await attach(caller(), env, name);
      await attach(caller(), env, name);
      const answer = await caller().get<PolicyAnswer>(`/policies/acme/${name}`);
      expect(answer).toMatchObject({
        name,
        description: 'What runs was built',
        type: 'env',
        archived: false,
        consuming_envs: [env],
        versions: [
          { version: 1, comment: '', policy_yaml: PROVENANCE },
          { version: 2, comment: 'stricter', policy_yaml: other },
        ],
        events: [
          { type: 'policy_created', data: { version: 1 } },
          { type: 'policy_updated', data: { version: 2 } },
          { type: 'policy_attached', data: { environment: env } },
          { type: 'policy_detached', data: { environment: env } },
          { type: 'policy_attached', data: { environment: env } },
        ],
      });
      expect(
        (await caller().get<PolicyAnswer[]>('/policies/acme')).find((listedPolicy) => listedPolicy.name === name),
      ).toEqual(answer);
      expect((await caller().get<EnvironmentAnswer>(`/environments/acme/${env}`)).policies).toEqual([name]);
    });

    it('gets another description alone by a form without a file, if it exists', async () => {
      const name = await policy(caller(), PROVENANCE);
      const put = (status: number, payload: object) =>
        caller()
          .send('PUT', '/policies/acme', { form: policyForm(payload) })
          .then((answer) => {
            expect(answer.status).toBe(status);
            return answer.body;
          });
      expect(await put(200, { name, description: 'What runs was built' })).toBe('OK');
      expect(await put(200, { name, description: '' })).toBe('OK');
      expect(await caller().get<PolicyAnswer>(`/policies/acme/${name}`)).toMatchObject({
        description: 'What runs was built',
        versions: [{ version: 1, policy_yaml: PROVENANCE }],
        events: [{ type: 'policy_created' }],
      });
      expect(await put(400, { name: fresh('policy'), description: 'None' })).toMatchObject({
        errors: { policy_file: 'Field required: there is no policy of this name yet' },
      });
    });

    it('that is malformed is refused with the positions of its errors', async () => {
      const broken = policyYaml('  attestations:\n    - {type: "*"}\n    - {type: generic, if: "flow.nam == 1"}\n');
      expect(
        await caller().refused(400, 'PUT', '/policies/acme', { form: policyForm({ name: fresh('policy') }, broken) }),
      ).toEqual({
        message: expect.stringMatching(/^Input payload validation failed: /),
        errors: {
          'policy_file.artifacts.attestations.0': expect.stringContaining('(line 4, column 7)') as string,
          'policy_file.artifacts.attestations.1.if': expect.stringContaining('at character 1') as string,
        },
      });
      const unknown = policyYaml('  attestations:\n    - {type: decision, for_control: none-such}\n');
      expect(
        await caller().refused(400, 'PUT', '/policies/acme', { form: policyForm({ name: fresh('policy') }, unknown) }),
      ).toEqual({
        message: expect.stringMatching(/^Input payload validation failed: /),
        errors: { 'policy_file.artifacts.attestations.0.for_control': "Control 'none-such' does not exist" },
      });
    });

    it('that does not exist is 404 when it is read, attached or detached', async () => {
      const message = { message: "Policy 'none-such' does not exist in organization 'acme'" };
      const env = await environment(caller());
      expect(await caller().refused(404, 'GET', '/policies/acme/none-such')).toEqual(message);
      const json = { policy_names: ['none-such'] };
      expect(await caller().refused(404, 'POST', `/environments/acme/${env}/policies`, { json })).toEqual(message);
      expect(await caller().refused(404, 'DELETE', `/environments/acme/${env}/policies`, { json })).toEqual(message);
    });
  });

  describe('the policies of an environment in its body', () => {
    const put = (json: object, status = 200) => caller().expect(status, 'PUT', '/environments/acme', { json });
    const patch = (env: string, json: object) => caller().expect(200, 'PATCH', `/environments/acme/${env}`, { json });
    const policiesOf = async (env: string) =>
      (await caller().get<EnvironmentAnswer>(`/environments/acme/${env}`)).policies;

    it('are attached when it is created, and judge what is reported', async () => {
      const [name, strict] = [fresh('env'), await policy(caller(), PROVENANCE)];
      await put({ name, type: 'docker', policies: [strict, strict] }, 201);
      expect(await policiesOf(name)).toEqual([strict]);
      await report(caller(), name, [item({ 'a:1': digest(`${name} a`) })]);
      expect(await newest(name)).toMatchObject({ index: 1, compliant: false, applied_policies: [{ name: strict }] });
    });

    it('replace the attached ones, and what runs is judged before the answer', async () => {
      const [firstPolicy, secondPolicy] = [await policy(caller(), PROVENANCE), await policy(caller(), PROVENANCE)];
      const env = await environment(caller());
      await attach(caller(), env, firstPolicy);
      await report(caller(), env, [item({ 'a:1': digest(`${env} a`) })]);
      await put({ name: env, type: 'docker', policies: [secondPolicy] });
      expect(await policiesOf(env)).toEqual([secondPolicy]);
      expect(await newest(env)).toMatchObject({ index: 2, applied_policies: [{ name: secondPolicy }] });
      await patch(env, { policies: [secondPolicy, firstPolicy] });
      expect(await policiesOf(env)).toEqual([secondPolicy, firstPolicy]);
      expect(await newest(env)).toMatchObject({
        index: 3,
        applied_policies: [{ name: secondPolicy }, { name: firstPolicy }],
      });
      await patch(env, { policies: [] });
      expect(await newest(env)).toMatchObject({ index: 4, applied_policies: [] });
    });

    it('stay where they are absent or null, and change nothing where they are the same', async () => {
      const strict = await policy(caller(), PROVENANCE);
      const env = await environment(caller());
      await patch(env, { policies: [strict] });
      const answer = await caller().get(`/environments/acme/${env}`);
      await put({ name: env, type: 'docker', policies: null });
      await put({ name: env, type: 'docker' });
      await patch(env, { policies: null });
      await patch(env, { policies: [strict] });
      expect(await caller().get(`/environments/acme/${env}`)).toEqual(answer);
    });

    it('that do not exist are an error of the field, and nothing of the body is written', async () => {
      const strict = await policy(caller(), PROVENANCE);
      const [name, env] = [fresh('env'), await environment(caller())];
      const policies = [strict, 'none-such'];
      const errors = { policies: "Policy 'none-such' does not exist" };
      const json = { name, type: 'docker', policies };
      expect((await caller().refused(400, 'PUT', '/environments/acme', { json })).errors).toEqual(errors);
      await caller().refused(404, 'GET', `/environments/acme/${name}`);
      const before = await caller().get(`/environments/acme/${env}`);
      const changes = { json: { description: 'new', policies } };
      expect((await caller().refused(400, 'PATCH', `/environments/acme/${env}`, changes)).errors).toEqual(errors);
      expect(await caller().get(`/environments/acme/${env}`)).toEqual(before);
    });

    it('are not for a snapshotter, who may create an environment without any', async () => {
      const [name, strict] = [fresh('env'), await policy(caller(), PROVENANCE)];
      const json = { name, type: 'docker', policies: [strict] };
      await world().as('snapshotter').refused(403, 'PUT', '/environments/acme', { json });
      await caller().refused(404, 'GET', `/environments/acme/${name}`);
      await world()
        .as('snapshotter')
        .expect(201, 'PUT', '/environments/acme', { json: { name, type: 'docker' } });
    });
  });

  describe('a snapshot', () => {
    it('says whether an artifact complies in its flow, also after a rename of the flow', async () => {
      const [env, built] = [await environment(caller()), await flow(caller())];
      const fingerprint = digest(`${env} renamed flow`);
      await post(caller(), built, artifact(fingerprint));
      await caller().expect(200, 'PUT', `/flows/acme/${built}/rename`, { json: { new_name: fresh('flow') } });
      await attach(caller(), env, await policy(caller(), PROVENANCE));
      await report(caller(), env, [item({ 'web:1': fingerprint })]);
      const [web] = (await newest(env)).artifacts;
      expect(web?.flows).toMatchObject([{ artifact_compliance_in_flow: true, flow_reasons_for_non_compliance: [] }]);
    });

    it('is judged at its creation by every policy, and shows rules and reasons', async () => {
      const [env, built] = [await environment(caller()), await flow(caller())];
      await tag(built, { kind: 'build' });
      const strict = await policy(
        caller(),
        policyYaml(
          '  provenance:\n    required: true\n    exceptions:\n      - if: ${{ flow.tags.kind != "build" }}\n' +
            '  attestations:\n    - {type: pull_request, if: \'${{ flow.tags.kind == "release" }}\'}\n',
        ),
      );
      await attach(caller(), env, strict);
      const [existing, unknown] = [digest(`${env} known`), digest(`${env} unknown`)];
      await post(caller(), built, artifact(existing));
      await report(caller(), env, [item({ 'a:1': existing }), item({ 'b:1': unknown })]);
      const snapshot = await newest(env);
      expect(snapshot).toMatchObject({
        index: 1,
        compliant: false,
        artifact_compliance_count: { true: 1, false: 1, null: 0 },
        artifacts: [
          { compliant: true, annotation: { type: 'started-compliant', was: 0, now: 1 }, reasons_for_incompliance: [] },
          {
            compliant: false,
            annotation: { type: 'started-non-compliant', was: 0, now: 1 },
            reasons_for_incompliance: [`policy '${strict}': the artifact has no provenance`],
          },
        ],
        applied_policies: [{ name: strict, version: 1, failing_artifacts: [unknown] }],
      });
      const context = { flow_name: built, trail_name: sha1(existing), artifact_status: null };
      expect(snapshot.artifacts[0]?.policy_decisions).toEqual([
        {
          policy_name: strict,
          policy_version: 1,
          status: 'COMPLIANT',
          rule_evaluations: [
            {
              rule: {
                type: 'provenance',
                definition: { required: true, exceptions: [{ if: { text: 'flow.tags.kind != "build"' } }] },
              },
              satisfied: true,
              ignored: false,
              resolutions: [{ type: 'rule_satisfied', context }],
            },
            {
              rule: { type: 'trail-compliance', definition: { required: false, exceptions: [] } },
              satisfied: null,
              ignored: true,
              resolutions: [{ type: 'rule_not_applicable', context: { ...context, artifact_status: 'COMPLIANT' } }],
            },
            {
              rule: {
                type: 'attestation',
                definition: {
                  if: { text: 'flow.tags.kind == "release"' },
                  name: '*',
                  type: 'pull_request',
                  must_be_compliant: true,
                },
              },
              satisfied: null,
              ignored: true,
              resolutions: [{ type: 'rule_not_applicable', context }],
            },
          ],
        },
      ]);
      expect(snapshot.artifacts[0]?.flows[0]?.artifact_compliance_in_flow).toBe(true);
      expect(snapshot.applied_policies[0]?.policy_dump).toEqual({
        schema_version: '1',
        artifacts: {
          provenance: { required: true, exceptions: [{ if_condition: { text: 'flow.tags.kind != "build"' } }] },
          trail_compliance: { required: false, exceptions: [] },
          attestations: [
            {
              if_condition: { text: 'flow.tags.kind == "release"' },
              name: '*',
              type: 'pull_request',
              must_be_compliant: true,
            },
          ],
        },
      });
      expect(await stateOf(env)).toBe(false);
      expect(await caller().get(`/snapshots/acme/${env}`)).toMatchObject([{ index: 1, compliant: false }]);
      // An exited artifact keeps its verdict.
      expect(await report(caller(), env, [item({ 'a:1': existing })])).toBe(CREATED(2));
      expect(await newest(env)).toMatchObject({
        compliant: true,
        artifacts: [{ compliant: true, annotation: { type: 'unchanged' } }, { annotation: { type: 'exited' } }],
      });
    });

    it('is created with a new verdict by attaching, detaching and allowing, and history stays', async () => {
      const env = await environment(caller());
      const web = digest(env);
      await report(caller(), env, [item({ 'web:1': web })]);
      expect([await stateOf(env), verdicts(await newest(env))]).toEqual([null, [null]]);
      const [strict, lenient] = [await policy(caller(), PROVENANCE), await policy(caller(), policyYaml('  {}\n'))];
      await attach(caller(), env, strict);
      expect(await newest(env)).toMatchObject({
        index: 2,
        compliant: false,
        artifacts: [{ compliant: false, annotation: { type: 'updated-provenance', was: 1, now: 1 } }],
      });
      // The verdict stays: the applied policies do not.
      await attach(caller(), env, lenient);
      expect(await newest(env)).toMatchObject({
        index: 3,
        compliant: false,
        applied_policies: [{ name: strict }, { name: lenient }],
        artifacts: [
          { annotation: { type: 'unchanged' }, policy_decisions: [{ policy_name: strict }, { policy_name: lenient }] },
        ],
      });
      const entry = { artifact_fingerprint: web, artifact_name: 'web', description: 'its vendor' };
      await caller().expect(201, 'PUT', `/allowlists/acme/${env}`, { json: { ...entry, description: 'at first' } });
      await caller().expect(200, 'PUT', `/allowlists/acme/${env}`, { json: entry });
      await caller().expect(200, 'PUT', `/allowlists/acme/${env}`, { json: { artifact_fingerprint: web } });
      expect(await caller().get<AllowedAnswer[]>('/allowlists/acme')).toContainEqual({
        fingerprint: web,
        artifact_name: 'web',
        description: 'its vendor',
        environment_name: env,
        timestamp: expect.any(Number) as number,
        user_name: 'ci-member',
        expires_at: null,
      });
      expect(await newest(env)).toMatchObject({ index: 4, compliant: true, artifacts: [{ compliant: true }] });
      const { artifacts: allowed, ...page } = await caller().get<AllowlistPage>(`/allowlists/acme/${env}`);
      expect(page).toEqual({ page: 1, per_page: 15, total_pages: 1, total_count: 1 });
      expect(allowed).toEqual(
        [{ ...entry, created_by: expect.stringMatching(/./) as string, created_at: expect.any(Number) as number }].map(
          (entry) => ({ ...entry, expires_at: null }),
        ),
      );
      expect(await caller().refused(404, 'GET', `/allowlists/acme/${env}-2`)).toMatchObject({
        message: `Environment named '${env}-2' does not exist for organization 'acme'`,
      });
      const json = { policy_names: [strict, lenient] };
      await caller().expect(200, 'DELETE', `/environments/acme/${env}/policies`, { json });
      expect(await newest(env)).toMatchObject({ index: 5, compliant: false, applied_policies: [] });
      expect(await stateOf(env)).toBeNull();
      expect(await caller().get(`/snapshots/acme/${env}/2`)).toMatchObject({
        compliant: false,
        applied_policies: [{ name: strict, version: 1, failing_artifacts: [web] }],
        artifacts: [{ policy_decisions: [{ policy_name: strict, status: 'NON-COMPLIANT' }] }],
      });
    });

    it('is created once for a new version or evidence that changes a verdict, and not otherwise', async () => {
      const [env, built] = [await environment(caller()), await flow(caller())];
      const web = digest(env);
      const name = await policy(caller(), policyYaml('  provenance: {required: false}\n'));
      await attach(caller(), env, name);
      await post(caller(), built, artifact(web));
      await report(caller(), env, [item({ 'web:1': web })]);
      expect(await newest(env)).toMatchObject({ index: 1, compliant: true });
      const ifBuild = (kind: string) =>
        policyYaml(
          `  provenance: {required: true, exceptions: [{if: 'flow.tags.kind != "build"'}]}\n  attestations:\n    - {type: snyk, if: 'flow.tags.kind == "${kind}"'}\n`,
        );
      await policy(caller(), ifBuild('never'), name);
      expect(
        await eventually(
          () => newest(env),
          ({ index }) => index === 2,
        ),
      ).toMatchObject({ index: 2, compliant: true });
      // Nobody asks for it: no verdict changes.
      await tag(built, { owner: 'ada' });
      await tag(built, { kind: 'never' });
      expect(
        await eventually(
          () => newest(env),
          ({ index }) => index === 3,
        ),
      ).toMatchObject({
        index: 3,
        compliant: false,
        applied_policies: [{ version: 2, failing_artifacts: [web] }],
      });
      await tag(built, { kind: 'build' });
      expect(
        await eventually(
          () => newest(env),
          ({ index }) => index === 4,
        ),
      ).toMatchObject({ index: 4, compliant: true });
    });

    it('is judged by the template of the trail', async () => {
      const [env, built] = [await environment(caller()), await flow(caller())];
      const web = digest(env);
      await attach(caller(), env, await policy(caller(), policyYaml('  trail-compliance: {required: true}\n')));
      await post(caller(), built, artifact(web));
      await report(caller(), env, [item({ 'web:1': web })]);
      expect(await stateOf(env)).toBe(true);
      const form = new FormData();
      form.set('data_json', JSON.stringify({ name: sha1(web), description: '' }));
      const template = 'version: 1\ntrail:\n  attestations: [{name: review, type: pull_request}]\n';
      form.set('template_file', new Blob([template]), 'template.yml');
      await caller().expect(200, 'PUT', `/trails/acme/${built}`, { form });
      expect(
        await eventually(
          () => stateOf(env),
          (state) => state === false,
        ),
      ).toBe(false);
      expect((await newest(env)).artifacts[0]?.policy_decisions[0]?.rule_evaluations[1]).toMatchObject({
        satisfied: false,
        resolutions: [{ type: 'non_compliant_in_trail', context: { artifact_status: 'COMPLIANT' } }],
      });
    });

    it('requires provenance if the environment does, without any policy', async () => {
      const [env, built] = [await environment(caller(), { require_provenance: true }), await flow(caller())];
      const web = digest(env);
      await report(caller(), env, [item({ 'web:1': web })]);
      expect(await newest(env)).toMatchObject({
        compliant: false,
        applied_policies: [],
        artifacts: [{ reasons_for_incompliance: ['the environment requires provenance, and the artifact has none'] }],
      });
      await post(caller(), built, artifact(web));
      expect(
        await eventually(
          () => newest(env),
          ({ index }) => index === 2,
        ),
      ).toMatchObject({ index: 2, compliant: true });
    });

    it('keeps showing the verdict of the previous artifact in its flow', async () => {
      const env = await environment(caller(), { require_provenance: true });
      const built = await flow(
        caller(),
        'version: 1\ntrail:\n  artifacts:\n    - {name: web, attestations: [{name: tests, type: generic}]}\n',
      );
      const [old, now] = [digest(`${env} old`), digest(`${env} new`)];
      for (const fingerprint of [old, now]) await post(caller(), built, artifact(fingerprint));
      await report(caller(), env, [item({ 'web:1': old })]);
      await report(caller(), env, [item({ 'web:2': now })]);
      const causesOf = async (index: number) => {
        const { artifacts } = await caller().get<SnapshotAnswer>(`/snapshots/acme/${env}/${index}`);
        return artifacts[0]?.deployment_diff;
      };
      const incomplete = { previous_fingerprint: old, previous_artifact_compliance_state: 'INCOMPLETE' };
      expect([await causesOf(1), await causesOf(2)]).toMatchObject([null, incomplete]);
      const form = flowForm({ attestation_name: 'tests', artifact_fingerprint: old, is_compliant: true });
      await caller().expect(201, 'POST', `/attestations/acme/${built}/trail/${sha1(old)}/generic`, { form });
      expect(await causesOf(2)).toMatchObject(incomplete);
    });

    it('can be empty: an environment that runs nothing is compliant', async () => {
      const env = await environment(caller());
      await attach(caller(), env, await policy(caller(), PROVENANCE));
      expect(await stateOf(env)).toBeNull();
      await caller().refused(404, 'GET', `/snapshots/acme/${env}/-1`);
      await report(caller(), env, [item({ 'web:1': digest(env) })]);
      await report(caller(), env, []);
      expect([await stateOf(env), (await newest(env)).index]).toEqual([true, 2]);
    });
  });

  describe('an assertion', () => {
    const assert = (fingerprint: string, query = '') =>
      caller().get<AssertAnswer>(`/asserts/acme/fingerprint/${fingerprint}${query}`);

    it('lists failures of the trail, then those of the artifact', async () => {
      const [built, web] = [await flow(caller()), digest(fresh('web'))];
      await post(caller(), built, artifact(web, { trail_name: 'build-1' }));
      const attest = (fields: object) => {
        const form = flowForm({ is_compliant: false, ...fields });
        return caller().expect(201, 'POST', `/attestations/acme/${built}/trail/build-1/generic`, { form });
      };
      await attest({ attestation_name: 'review' });
      await attest({ attestation_name: 'tests', artifact_fingerprint: web });
      const { compliant, flows } = await assert(web);
      expect(compliant).toBe(false);
      expect(flows[0]?.compliance_status?.attestations_statuses).toMatchObject([
        { attestation_name: 'review', is_compliant: false },
        { attestation_name: 'tests', is_compliant: false },
      ]);
    });

    it('accepts artifacts on the allow-list of an environment without provenance', async () => {
      const env = await environment(caller(), { require_provenance: true });
      const web = digest(env);
      const query = `?environment_name=${env}`;
      const unknown = { message: `Artifact with fingerprint '${web}' does not exist` };
      const path = `/asserts/acme/fingerprint/${web}`;
      expect(await caller().refused(404, 'GET', path + query)).toEqual(unknown);
      await attach(caller(), env, await policy(caller(), PROVENANCE));
      const json = { artifact_fingerprint: web, artifact_name: 'nginx:1.27', description: 'By its vendor' };
      await caller().expect(201, 'PUT', `/allowlists/acme/${env}`, { json });
      expect(await assert(web, query)).toMatchObject({
        compliant: true,
        scope: 'environment',
        environment: env,
        flows: [],
        policy_evaluations: [{ status: 'NON-COMPLIANT' }],
        html_url: expect.stringMatching(new RegExp(`/acme/environments/${env}$`)),
      });
      expect(await caller().refused(404, 'GET', path)).toEqual(unknown);
    });

    it('appears in the environment’s events when it changes, with the reason', async () => {
      const [env, built] = [await environment(caller()), await flow(caller())];
      const [web, other] = [digest(fresh('web')), digest(fresh('other'))];
      const messages = async (count: number) => {
        const events = await eventually(
          () => caller().get<EnvironmentEvent[]>(`/environments/acme/${env}/events`),
          (all) => all.length >= count,
        );
        return events.map(({ description, artifact_name }) => `${artifact_name}: ${description}`);
      };
      await post(caller(), built, artifact(web, { trail_name: 'build-1' }));
      await report(caller(), env, [item({ web }), item({ other })]);
      await attach(
        caller(),
        env,
        await policy(caller(), policyYaml('  attestations: [{type: generic, name: tests}]\n')),
      );
      const policies = 'The artifact is not compliant now, by a change of policies';
      expect((await messages(4)).slice(0, 2)).toEqual([`other: ${policies}`, `web: ${policies}`]);
      const form = flowForm({ attestation_name: 'tests', artifact_fingerprint: web, is_compliant: true });
      await caller().expect(201, 'POST', `/attestations/acme/${built}/trail/build-1/generic`, { form });
      expect((await messages(5))[0]).toBe('web: The artifact is compliant now, by new evidence');
      const json = { artifact_fingerprint: other, artifact_name: 'other', description: '' };
      await caller().expect(201, 'PUT', `/allowlists/acme/${env}`, { json });
      expect((await messages(6))[0]).toBe('other: The artifact is compliant now, by the allow-list');
    });

    it('can cover flows, an environment or policies, and sees committed data', async () => {
      const [env, firstFlow, secondFlow] = [await environment(caller()), await flow(caller()), await flow(caller())];
      const web = digest(env);
      const strict = await policy(caller(), PROVENANCE);
      const [own, never] = [
        await policy(caller(), policyYaml(`  attestations:\n    - {type: snyk, if: 'flow.name == "${firstFlow}"'}\n`)),
        await policy(caller(), policyYaml('  attestations:\n    - {type: snyk, name: scan}\n')),
      ];
      await post(caller(), firstFlow, artifact(web));
      expect(await assert(web)).toMatchObject({
        compliant: true,
        scope: 'flow',
        policy_evaluations: [],
        flows: [{ flow: firstFlow, trail: sha1(web), compliance_status: { status: 'COMPLIANT', unexpected: true } }],
        html_url: expect.stringContaining(`/acme/flows/${firstFlow}/artifacts/${web}`) as string,
      });
      await post(caller(), secondFlow, artifact(web, { trail_name: 'again' }));
      expect((await assert(web)).flows.map((existing) => existing.flow)).toEqual([firstFlow, secondFlow]);
      expect((await assert(web, `?flow_name=${secondFlow}`)).flows.map((existing) => existing.flow)).toEqual([
        secondFlow,
      ]);
      expect(await assert(web, `?environment_name=${env}`)).toMatchObject({
        compliant: true,
        scope: 'environment',
        environment: env,
        policy_evaluations: [],
      });
      await attach(caller(), env, strict, never);
      expect(await assert(web, `?environment_name=${env}`)).toMatchObject({
        compliant: false,
        policy_evaluations: [
          { policy_name: strict, status: 'COMPLIANT' },
          { policy_name: never, status: 'NON-COMPLIANT' },
        ],
      });
      const json = { artifact_fingerprint: web, artifact_name: '', description: '' };
      await caller().expect(201, 'PUT', `/allowlists/acme/${env}`, { json });
      expect(await assert(web, `?environment_name=${env}`)).toMatchObject({ compliant: true });
      expect(await assert(web, `?policy_name=${own}&policy_name=${strict}`)).toMatchObject({
        compliant: false,
        scope: 'policy',
        policy_evaluations: [
          {
            policy_name: own,
            rule_evaluations: [
              { ignored: true },
              { ignored: true },
              { satisfied: false, resolutions: [{ type: 'missing_attestation' }, { type: 'rule_not_applicable' }] },
            ],
          },
          { policy_name: strict },
        ],
      });
      expect(await assert(web, `?policy_name=${own}&flow_name=${secondFlow}`)).toMatchObject({ compliant: true });
    });

    it('is 404 for unknown artifacts, and 400 for two scopes', async () => {
      const [built, web] = [await flow(caller()), digest(fresh('web'))];
      const path = `/asserts/acme/fingerprint/${web}`;
      expect(await caller().refused(404, 'GET', path)).toEqual({
        message: `Artifact with fingerprint '${web}' does not exist`,
      });
      expect(await caller().refused(404, 'GET', `${path}?flow_name=${built}`)).toEqual({
        message: `Artifact with fingerprint '${web}' does not exist in flow '${built}' belonging to organization 'acme'`,
      });
      await caller().refused(404, 'GET', `${path}?policy_name=none-such`);
      await caller().refused(400, 'GET', `${path}?policy_name=a&environment_name=b`);
    });
  });
});
