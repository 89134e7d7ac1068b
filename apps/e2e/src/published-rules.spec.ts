import type { AttestationListAnswer } from '@assurance/contracts/evidence/answers/attestation';
import type { TrailAnswer } from '@assurance/contracts/flows/answers/trail';
import { Evaluator } from '@assurance/evaluator';
import { artifact, digest, flowForm, fresh, post, sha1 } from './support/samples';
import { onEveryDeployment } from './support/world';

type Row = Readonly<Record<string, unknown>>;

/**
 * Rules as users write them for clients: over a trail whose statuses are keyed by name, each merged with the first answer to a
 * look-up by its id. Of each type what a rule reads, data that it lets pass, and data that it does not.
 */
const RULES: readonly (readonly [type: string, rule: string, good: object, bad: object])[] = [
  ['generic', '.is_compliant and .user_data.by == "ada"', { is_compliant: true }, { is_compliant: false }],
  ['junit', '[.junit_results[] | .failures + .errors] | add == 0', junit(0), junit(1)],
  ['jira', '.jira_results | length > 0 and all(.issue_exists)', jira(true), jira(false)],
  ['snyk', '.processed_snyk_results.results | all(.high_count == 0 and .medium_count == 0)', snyk(0), snyk(1)],
  ['sonar', '.sonar_results.qualityGate.status == "OK"', sonar('OK'), sonar('ERROR')],
  ['pull_request', '.pull_requests | any(.approvers | length >= 1)', pull(['ada']), pull([])],
  ['custom', '.attestation_data.coverage >= 80', coverage(90), coverage(70)],
  ['system', '.control == "SDLC-1" and .attestation_data.is_compliant', decided(true), decided(false)],
  ['override', '.attestation_type == "override" and .reason != "" and .new_compliance_status', over(true), over(false)],
];

function junit(failures: number) {
  return { junit_results: [{ name: 's', failures, errors: 0, skipped: 0, total: 2, duration: 1.5 }] };
}
function jira(issue_exists: boolean) {
  return { jira_results: [{ issue_id: 'T-1', issue_url: 'https://jira.example.com/T-1', issue_exists }] };
}
function snyk(high_count: number) {
  return { snyk_results: { schema_version: 1, results: [{ high_count, medium_count: 0, low_count: 1 }] } };
}
function sonar(status: string) {
  return { sonar_results: { qualityGate: { status, conditions: [] } } };
}
function pull(approvers: readonly string[]) {
  return { git_provider: 'github', pull_requests: [{ url: 'https://pr.example.com/1', approvers }] };
}
function coverage(percent: number) {
  return { type_name: 'coverage', attestation_data: { coverage: percent } };
}
function decided(is_compliant: boolean) {
  return { type_name: 'decision', control: 'SDLC-1', attestation_data: { is_compliant } };
}
function over(new_compliance_status: boolean) {
  return { reason: 'Known', new_compliance_status, original_attestation_type: 'generic' };
}

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const evaluator = new Evaluator();
  afterAll(() => evaluator.close());

  beforeAll(async () => {
    const form = flowForm({ name: 'coverage' });
    await caller().expect(201, 'POST', '/custom-attestation-types/acme', { form });
  });

  /** The trail as clients hand it to rules. */
  async function input(flow: string): Promise<Row> {
    const trail = await caller().get<TrailAnswer>(`/trails/acme/${flow}/build-1`);
    const keyed = async (statuses: TrailAnswer['compliance_status']['attestations_statuses']) => {
      const merged = statuses.map(async (status) => {
        const { data } = await caller().get<AttestationListAnswer>(
          `/attestations/acme?attestation_id=${status.attestation_id}`,
        );
        return [status.attestation_name, { ...status, ...data[0] }] as const;
      });
      return Object.fromEntries(await Promise.all(merged));
    };
    const { attestations_statuses, artifacts_statuses } = trail.compliance_status;
    const artifacts = Object.entries(artifacts_statuses).map(
      async ([name, artifact]) =>
        [name, { ...artifact, attestations_statuses: await keyed(artifact.attestations_statuses) }] as const,
    );
    return {
      ...trail,
      compliance_status: {
        ...trail.compliance_status,
        attestations_statuses: await keyed(attestations_statuses),
        artifacts_statuses: Object.fromEntries(await Promise.all(artifacts)),
      },
    };
  }

  const passes = async (rule: string, data: unknown): Promise<boolean> => {
    const result = await evaluator.evaluate('rules', { schema: null, rules: [rule] }, JSON.stringify(data));
    return result.kind === 'fit' && result.verdicts[0] === true;
  };

  it.each(RULES)('of %s read attestations of a trail and of an artifact', async (type, rule, good, bad) => {
    const verdicts: boolean[] = [];
    for (const data of [good, bad]) {
      const flow = fresh('flow');
      const fingerprint = digest(flow);
      const base = `/attestations/acme/${flow}/trail/build-1`;
      await caller().expect(201, 'PUT', '/flows/acme', { json: { name: flow } });
      await post(caller(), flow, artifact(fingerprint, { trail_name: 'build-1', git_commit: sha1(flow) }));
      for (const on of [{}, { artifact_fingerprint: fingerprint }]) {
        const json = { attestation_name: 'one', user_data: { by: 'ada' }, ...on, ...data };
        const sent = type === 'override' ? { json } : { form: flowForm(json) };
        await caller().expect(201, 'POST', `${base}/${type}`, sent);
      }
      const trail = await input(flow);
      for (const at of ['', '.artifacts_statuses.web']) {
        const program = `.compliance_status${at}.attestations_statuses.one | ${rule}`;
        verdicts.push(await passes(program, trail));
      }
      // The named look-ups carry the same.
      const [attestation] = await caller().get<Row[]>(`${base}/one`);
      verdicts.push(await passes(rule, attestation));
    }
    expect(verdicts).toEqual([true, true, true, false, false, false]);
  });
});
