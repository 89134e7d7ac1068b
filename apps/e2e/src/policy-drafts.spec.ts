import type { PolicyAnswer } from '@assurance/contracts/policies/answers/policy';
import type { PolicyDraftAnswer } from '@assurance/contracts/policies/answers/draft';
import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import type { ErrorBody } from '@assurance/contracts/http/answers/common';
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
  post,
  PROVENANCE,
  report,
} from './support/samples';
import { onEveryDeployment } from './support/world';

const NOTHING = policyYaml('  provenance: {required: false}\n');
const REVIEWED = policyYaml('  attestations: [{type: pull_request, name: review}]\n');
const DAY = 86_400;

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const draftOf = (name: string, yaml: string, environments?: readonly string[]) =>
    caller().expect<PolicyDraftAnswer>(200, 'POST', `/policies/acme/${name}/draft`, {
      json: { policy_yaml: yaml, ...(environments === undefined ? {} : { environments }) },
    });
  const refused = async (status: number, name: string, json: object) => {
    const answer = await caller().send('POST', `/policies/acme/${name}/draft`, { json });
    expect(answer.status).toBe(status);
    return answer.body as ErrorBody;
  };
  /** An environment that runs two artifacts, of which a flow knows the first, and a policy that is attached to it. */
  const running = async (yaml: string) => {
    const [env, built] = [await environment(caller()), await flow(caller())];
    const [web, tool] = [digest(fresh('web')), digest(fresh('tool'))];
    await post(caller(), built, artifact(web, { trail_name: 'build-1' }));
    const name = await policy(caller(), yaml);
    await attach(caller(), env, name);
    await report(caller(), env, [item({ web }), item({ tool })]);
    return { env, built, web, tool, name };
  };

  describe('a draft of a policy', () => {
    it('shows what runs and would be non-compliant, why, and stores nothing', async () => {
      const { env, built, web, name } = await running(PROVENANCE);
      const before = await caller().get<SnapshotAnswer>(`/snapshots/acme/${env}/-1`);
      const draft = await draftOf(name, REVIEWED);
      expect(draft).toMatchObject({
        version: 1,
        environments: [env],
        environments_not_judged: 0,
        changes_not_listed: 0,
        running: { judged: 2, become_non_compliant: 1, become_compliant: 0, not_judged: 0 },
        deployed: { judged: 2, become_non_compliant: 1, become_compliant: 0, not_judged: 0 },
        changes: [
          {
            environment: env,
            fingerprint: web,
            name: 'web',
            running: true,
            compliant: false,
            deployed_at: expect.any(Number),
            reasons: [
              `policy '${name}': the 'review' attestation of type pull_request is missing in trail 'build-1' of flow '${built}'`,
            ],
          },
        ],
      });
      expect(draft.deployed.end_ts - draft.deployed.start_ts).toBeCloseTo(30 * DAY, 3);
      const { versions } = await caller().get<PolicyAnswer>(`/policies/acme/${name}`);
      expect(versions).toMatchObject([{ version: 1, policy_yaml: PROVENANCE }]);
      const after = await caller().get<SnapshotAnswer>(`/snapshots/acme/${env}/-1`);
      expect([after.index, after.compliant]).toEqual([before.index, before.compliant]);
    });

    it('shows what would be compliant, and why it is not now', async () => {
      const { env, tool, name } = await running(PROVENANCE);
      expect(await draftOf(name, NOTHING)).toMatchObject({
        running: { judged: 2, become_non_compliant: 0, become_compliant: 1 },
        changes: [
          {
            environment: env,
            fingerprint: tool,
            compliant: true,
            reasons: [`policy '${name}': the artifact has no provenance`],
          },
        ],
      });
    });

    it('decides as saving it does', async () => {
      const { env, name } = await running(PROVENANCE);
      const { changes } = await draftOf(name, REVIEWED);
      const before = await caller().get<SnapshotAnswer>(`/snapshots/acme/${env}/-1`);
      await policy(caller(), REVIEWED, name);
      const { body } = await eventually(
        () => caller().send('GET', `/snapshots/acme/${env}/${before.index + 1}`),
        ({ status }) => status === 200,
      );
      const { artifacts } = body as SnapshotAnswer;
      const was = new Map(before.artifacts.map(({ fingerprint, compliant }) => [fingerprint, compliant]));
      const changed = artifacts.filter(({ fingerprint, compliant }) => compliant !== was.get(fingerprint));
      expect(changes.map(({ fingerprint }) => fingerprint)).toEqual(changed.map(({ fingerprint }) => fingerprint));
      expect((await draftOf(name, REVIEWED)).changes).toEqual([]);
    });

    it('judges what was deployed in the last 30 days and has left, each artifact once', async () => {
      const { env, web, tool, name } = await running(PROVENANCE);
      await report(caller(), env, [item({ tool })]);
      await report(caller(), env, [item({ tool }), item({ web })]);
      await report(caller(), env, [item({ tool })]);
      expect(await draftOf(name, REVIEWED)).toMatchObject({
        running: { judged: 1, become_non_compliant: 0 },
        deployed: { judged: 2, become_non_compliant: 1, become_compliant: 0, not_judged: 0 },
        changes: [{ fingerprint: web, running: false, deployed_at: expect.any(Number) }],
      });
    });

    it('counts no artifact that is allowed, or that another policy refuses', async () => {
      const { env, web, name } = await running(PROVENANCE);
      await attach(caller(), env, await policy(caller(), PROVENANCE));
      expect((await draftOf(name, NOTHING)).changes).toEqual([]);
      const json = { artifact_fingerprint: web, artifact_name: 'web' };
      await caller().expect(201, 'PUT', `/allowlists/acme/${env}`, { json });
      expect(await draftOf(name, REVIEWED)).toMatchObject({ running: { judged: 2 }, changes: [] });
    });

    it('is judged in the environments that are named, as if it were attached there', async () => {
      const { env, name } = await running(NOTHING);
      const other = await environment(caller());
      const api = digest(fresh('api'));
      await report(caller(), other, [item({ api })]);
      expect(await draftOf(name, PROVENANCE, [other, other])).toMatchObject({
        environments: [other],
        running: { judged: 1, become_non_compliant: 1 },
        changes: [{ environment: other, fingerprint: api }],
      });
      expect((await draftOf(name, PROVENANCE)).environments).toEqual([env]);
    });

    it('is judged for as many artifacts as it may be; the rest is counted', async () => {
      const [env, name] = [await environment(caller()), await policy(caller(), NOTHING)];
      await attach(caller(), env, name);
      const all = Array.from({ length: 2_050 }, (_, i) => item({ [`app-${i}`]: digest(`${env} ${i}`) }));
      await report(caller(), env, all);
      const draft = await draftOf(name, PROVENANCE);
      // On a busy machine its time ends before its number of artifacts.
      for (const { judged, become_non_compliant, not_judged } of [draft.running, draft.deployed]) {
        expect(judged).toBeLessThanOrEqual(2_000);
        expect([become_non_compliant, judged + not_judged]).toEqual([judged, 2_050]);
      }
      expect(draft.changes.length).toBeLessThanOrEqual(200);
      expect(draft.changes.length + draft.changes_not_listed).toBe(draft.running.judged);
    });

    it('is refused where it is none, or names what there is not', async () => {
      const name = await policy(caller(), PROVENANCE);
      const draft = { policy_yaml: PROVENANCE };
      expect(await refused(404, 'no-such', draft)).toMatchObject({ message: expect.stringContaining("'no-such'") });
      expect(await refused(404, name, { ...draft, environments: ['no-such'] })).toMatchObject({
        message: expect.stringContaining("'no-such'"),
      });
      const logical = await environment(caller(), { type: 'logical', included_environments: [] });
      expect(await refused(400, name, { ...draft, environments: [logical] })).toMatchObject({
        errors: { environments: `'${logical}' is a logical environment: name its members` },
      });
      expect(await refused(400, name, { policy_yaml: `${PROVENANCE}  more: 1\n` })).toMatchObject({
        errors: { 'policy_yaml.artifacts.more': expect.any(String) },
      });
      const decided = policyYaml('  attestations: [{type: decision, for_control: no-such}]\n');
      expect(await refused(400, name, { policy_yaml: decided })).toMatchObject({
        errors: { 'policy_yaml.artifacts.attestations.0.for_control': "Control 'no-such' does not exist" },
      });
    });
  });
});
