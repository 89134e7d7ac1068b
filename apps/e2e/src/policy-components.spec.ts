import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import type { ErrorBody } from '@assurance/contracts/http/answers/common';
import type { AssertAnswer } from '@assurance/contracts/policies/answers/decision';
import type { PolicyDraftAnswer } from '@assurance/contracts/policies/answers/draft';
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
  policyForm,
  policyYaml,
  post,
  report,
  sbomForm,
} from './support/samples';
import { npmSbom } from './support/vulnerable';
import { onEveryDeployment } from './support/world';

const denying = (lines: string, more = '') => policyYaml(`  components:\n    deny:\n${lines}${more}`);

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const newest = (env: string) => caller().get<SnapshotAnswer>(`/snapshots/acme/${env}/-1`);
  const judged = (env: string, expected: boolean) =>
    eventually(
      () => newest(env),
      ({ artifacts }) => artifacts[0]?.compliant === expected,
    );
  const assertIn = (env: string, fingerprint: string) =>
    caller().get<AssertAnswer>(`/asserts/acme/fingerprint/${fingerprint}?environment_name=${env}`);

  async function attest(flowName: string, fingerprint: string, bom: string) {
    const form = sbomForm(bom, fingerprint);
    await caller().expect(201, 'POST', `/attestations/acme/${flowName}/trail/build-1/system`, { form });
  }

  /** An artifact of a flow, and an environment with a policy that runs it. */
  async function running(yaml: string, bom: string | null) {
    const [env, built, web] = [await environment(caller()), await flow(caller()), digest(fresh('web'))];
    await post(caller(), built, artifact(web, { trail_name: 'build-1' }));
    if (bom !== null) await attest(built, web, bom);
    const name = await policy(caller(), yaml);
    await attach(caller(), env, name);
    await report(caller(), env, [item({ web })]);
    return { env, built, web, name };
  }

  describe('a policy that denies components', () => {
    it('names the component and the pattern, and judges again when another SBOM is attested', async () => {
      const lib = fresh('lib');
      const yaml = denying(`      - {purl: "pkg:npm/${lib}", range: ">=2,<2.17"}\n`);
      const { env, built, web, name } = await running(yaml, npmSbom(`${lib}@2.14.1`, 'other@1.0.0'));
      const reason = `policy '${name}': component pkg:npm/${lib}@2.14.1 is denied by pkg:npm/${lib} >=2,<2.17`;
      const context = { flow_name: built, trail_name: 'build-1', artifact_status: null };
      expect(await newest(env)).toMatchObject({
        index: 1,
        compliant: false,
        artifacts: [
          {
            compliant: false,
            reasons_for_incompliance: [reason],
            policy_decisions: [
              {
                status: 'NON-COMPLIANT',
                rule_evaluations: [
                  {},
                  {},
                  {
                    rule: {
                      type: 'components',
                      definition: {
                        name: 'components',
                        type: 'sbom',
                        deny: [{ purl: `pkg:npm/${lib}`, range: '>=2,<2.17' }],
                        exceptions: [],
                      },
                    },
                    satisfied: false,
                    ignored: false,
                    resolutions: [{ type: 'non_compliant_attestation', reason: 'denied_component', context }],
                  },
                ],
              },
            ],
          },
        ],
        applied_policies: [{ policy_dump: { artifacts: { components: { exceptions: [] } } } }],
      });
      expect(await assertIn(env, web)).toMatchObject({
        policy_evaluations: [{ rule_evaluations: [{}, {}, { satisfied: false }] }],
      });
      const causes = await caller().get<SnapshotAnswer>(`/snapshots/acme/${env}/-1?show=non-compliant`);
      expect(causes).toMatchObject({ failure_causes: [{ resolution: 'denied_component', count: 1 }] });
      await attest(built, web, npmSbom(`${lib}@2.17.1`, 'other@1.0.0'));
      expect(await judged(env, true)).toMatchObject({ index: 2, artifacts: [{ reasons_for_incompliance: [] }] });
      await attest(built, web, npmSbom(`${lib}@2.0.0`));
      expect(await judged(env, false)).toMatchObject({ index: 3 });
    });

    it('denies what an override of the SBOM leaves', async () => {
      const lib = fresh('lib');
      const { env, built, web } = await running(denying(`      - pkg:npm/${lib}*\n`), npmSbom(`${lib}-core@1.0.0`));
      const json = {
        attestation_name: 'bom',
        artifact_fingerprint: web,
        reason: 'known',
        new_compliance_status: true,
        original_attestation_type: 'sbom',
      };
      await caller().expect(201, 'POST', `/attestations/acme/${built}/trail/build-1/override`, { json });
      expect(await assertIn(env, web)).toMatchObject({ compliant: false });
    });

    it('says that it knows nothing without an SBOM, and refuses only if one is required', async () => {
      const line = `      - pkg:npm/${fresh('lib')}\n`;
      const { env, built, web, name } = await running(denying(line), null);
      const decision = (more: object) => ({
        artifacts: [{ policy_decisions: [{ rule_evaluations: [{}, {}, more] }] }],
      });
      expect(await newest(env)).toMatchObject({
        index: 1,
        compliant: true,
        ...decision({
          satisfied: null,
          ignored: true,
          resolutions: [{ type: 'missing_attestation', reason: 'missing_sbom' }],
        }),
      });
      await policy(caller(), denying(line, '  sbom: {required: true}\n'), name);
      expect(await judged(env, false)).toMatchObject({
        index: 2,
        artifacts: [{ reasons_for_incompliance: [`policy '${name}': the artifact has no SBOM`] }],
      });
      await attest(built, web, npmSbom('other@1.0.0'));
      const ruleResults = [
        {},
        {},
        { rule: { type: 'sbom' }, satisfied: true },
        { rule: { type: 'components' }, satisfied: true },
      ];
      expect(await judged(env, true)).toMatchObject({
        index: 3,
        artifacts: [{ policy_decisions: [{ rule_evaluations: ruleResults }] }],
      });
    });

    it('leaves out what an exception names, until its end', async () => {
      const lib = fresh('lib');
      const exception = (until: string) => `    exceptions: [{purl: "pkg:npm/${lib}", until: "${until}"}]\n`;
      const line = `      - pkg:npm/${lib}\n`;
      const { env, name } = await running(denying(line, exception('2999-01-01T00:00:00Z')), npmSbom(`${lib}@1.0.0`));
      expect(await newest(env)).toMatchObject({ compliant: true });
      await policy(caller(), denying(line, exception('2020-01-01T00:00:00Z')), name);
      expect(await judged(env, false)).toMatchObject({ index: 2 });
    });

    it('is judged as a draft', async () => {
      const lib = fresh('lib');
      const { env, web, name } = await running(policyYaml('  provenance: {}\n'), npmSbom(`${lib}@1.0.0`));
      const draft = { json: { policy_yaml: denying(`      - pkg:npm/${lib}@1.0.0\n`) } };
      expect(
        await caller().expect<PolicyDraftAnswer>(200, 'POST', `/policies/acme/${name}/draft`, draft),
      ).toMatchObject({
        running: { judged: 1, become_non_compliant: 1 },
        changes: [
          {
            environment: env,
            fingerprint: web,
            compliant: false,
            reasons: [`policy '${name}': component pkg:npm/${lib}@1.0.0 is denied by pkg:npm/${lib}@1.0.0`],
          },
        ],
      });
    });

    it('is refused with the place of what is wrong', async () => {
      const form = policyForm({ name: fresh('wrong') }, denying('      - {purl: pkg:npm/a, range: newer than 2}\n'));
      const { status, body } = await caller().send('PUT', '/policies/acme', { form });
      expect([status, (body as ErrorBody).errors]).toEqual([
        400,
        {
          'policy_file.artifacts.components.deny.0.range':
            'Input should be a range such as >=2,<2.17 [input: newer than 2] (line 5, column 34)',
        },
      ]);
    });
  });
});
