import type { EnvironmentAnswer } from '@assurance/contracts/environments/answers/environment';
import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import { eventually } from './support/eventually';
import {
  artifact,
  attach,
  digest,
  environment,
  flow,
  flowForm,
  item,
  policy,
  policyForm,
  policyYaml,
  post,
  report,
  sha1,
} from './support/samples';
import { onEveryDeployment } from './support/world';

const REVIEWED = 'version: 1\ntrail:\n  attestations: [{name: review, type: pull_request}]\n';
const rules = (kind: string) =>
  policyYaml(
    `  trail-compliance: {required: true}\n  attestations: [{name: scan, type: generic, if: 'flow.tags.kind != "${kind}"'}]\n`,
  );

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const newest = (env: string) => caller().get<SnapshotAnswer>(`/snapshots/acme/${env}/-1`);

  it('every change of a verdict creates exactly one new snapshot in each environment', async () => {
    const [firstEnv, secondEnv] = [await environment(caller()), await environment(caller())];
    const [built, name] = [await flow(caller()), await policy(caller(), rules('tool'))];
    const web = digest(firstEnv);
    const trail = sha1(web);
    await post(caller(), built, artifact(web));
    for (const env of [firstEnv, secondEnv]) {
      await attach(caller(), env, name);
      await report(caller(), env, [item({ 'web:1': web })]);
    }

    const attest = (type: string, fields: object) => {
      const sent = type === 'override' ? { json: fields } : { form: flowForm(fields) };
      return caller().expect(201, 'POST', `/attestations/acme/${built}/trail/${trail}/${type}`, sent);
    };
    const override = (is: boolean) =>
      attest('override', {
        attestation_name: 'scan',
        reason: 'looked at by hand',
        new_compliance_status: is,
        original_attestation_type: 'generic',
      });
    const template = () => {
      const form = flowForm({ name: trail, description: '' }, REVIEWED);
      return caller().expect(200, 'PUT', `/trails/acme/${built}`, { form });
    };
    const tag = (kind: string) =>
      caller().expect(200, 'PATCH', `/tags/acme/flow/${built}`, { json: { set_tags: { kind } } });
    const allow = async () => {
      const json = { artifact_fingerprint: web, artifact_name: 'web', description: 'its vendor' };
      for (const env of [firstEnv, secondEnv]) await caller().expect(201, 'PUT', `/allowlists/acme/${env}`, { json });
    };
    const causes: readonly [string, () => Promise<unknown>, boolean][] = [
      ['a tag that the policy excepts', () => tag('tool'), true],
      ['another tag', () => tag('build'), false],
      ['an attestation of the trail', () => attest('generic', { attestation_name: 'scan', is_compliant: true }), true],
      ['an override', () => override(false), false],
      ['another override', () => override(true), true],
      [
        'an attestation of the artifact',
        () => attest('generic', { attestation_name: 'tests', artifact_fingerprint: web, is_compliant: false }),
        false,
      ],
      [
        'a newer one that its template and commit name',
        () =>
          attest('generic', {
            attestation_name: 'tests',
            target_artifacts: ['web'],
            git_commit_info: artifact(web).git_commit_info,
            is_compliant: true,
          }),
        true,
      ],
      ['a template of the trail', template, false],
      ['what the template asks for', () => attest('pull_request', pullRequest()), true],
      ['an override of the scan', () => override(false), false],
      ['the allow-list', allow, true],
    ];
    for (const [i, [cause, act, compliant]] of causes.entries()) {
      await act();
      for (const env of [firstEnv, secondEnv]) {
        const index = 2 + i;
        const result = await eventually(
          () => newest(env),
          (snapshot) => snapshot.index === index,
        );
        expect([cause, result.index, result.compliant]).toEqual([cause, index, compliant]);
        expect((await caller().get<EnvironmentAnswer>(`/environments/acme/${env}`)).state).toBe(compliant);
      }
    }
    // The next version makes the next snapshot, which would show a repeated one.
    await caller().expect(200, 'PUT', '/policies/acme', { form: policyForm({ name }, rules('none')) });
    for (const env of [firstEnv, secondEnv]) {
      const index = 2 + causes.length;
      expect(
        await eventually(
          () => newest(env),
          (snapshot) => snapshot.index === index,
        ),
      ).toMatchObject({ index, compliant: true, applied_policies: [{ version: 2 }] });
    }
  }, 120_000);
});

function pullRequest() {
  return {
    attestation_name: 'review',
    git_provider: 'github',
    pull_requests: [
      { url: 'https://example.com/pull/1', state: 'merged', merge_commit: 'a'.repeat(40), approvers: [] },
    ],
  };
}
