import { compliantBy } from './attestation-rules';

const suite = (failures: number, errors: number) => ({ failures, errors });
const counts = (high_count: number, medium_count: number, low_count: number, critical_count?: number) => ({
  high_count,
  medium_count,
  low_count,
  ...(critical_count === undefined ? {} : { critical_count }),
});
const issue = (issue_exists: boolean) => ({ issue_exists });

describe('what is compliant by the rule of its type', () => {
  it.each<[string, boolean, boolean]>([
    ['generic as it says', compliantBy.generic({ is_compliant: true }), true],
    ['generic as it says, too', compliantBy.generic({ is_compliant: false }), false],
    ['tests that pass', compliantBy.junit({ junit_results: [suite(0, 0), suite(0, 0)] }), true],
    ['tests, one of which failed', compliantBy.junit({ junit_results: [suite(0, 0), suite(1, 0)] }), false],
    ['tests with an error', compliantBy.junit({ junit_results: [suite(0, 2)] }), false],
    ['no tests', compliantBy.junit({ junit_results: [] }), true],
    ['an issue', compliantBy.jira({ jira_results: [issue(true)] }), true],
    ['issues, one of which is not there', compliantBy.jira({ jira_results: [issue(true), issue(false)] }), false],
    ['no issue', compliantBy.jira({ jira_results: [] }), false],
    ['nothing about issues', compliantBy.jira({}), false],
    ['a clean scan', compliantBy.snyk({ snyk_results: { results: [counts(0, 0, 0), counts(0, 0, 0, 0)] } }), true],
    ['a high finding', compliantBy.snyk({ snyk_results: { results: [counts(1, 0, 0)] } }), false],
    ['a medium finding', compliantBy.snyk({ snyk_results: { results: [counts(0, 1, 0)] } }), false],
    ['a low finding', compliantBy.snyk({ snyk_results: { results: [counts(0, 0, 0), counts(0, 0, 1)] } }), false],
    ['a critical finding', compliantBy.snyk({ snyk_results: { results: [counts(0, 0, 0, 1)] } }), false],
    ['a gate that is passed', compliantBy.sonar({ sonar_results: { qualityGate: { status: 'OK' } } }), true],
    ['a gate that is not', compliantBy.sonar({ sonar_results: { qualityGate: { status: 'ERROR' } } }), false],
    ['no gate', compliantBy.sonar({ sonar_results: {} }), false],
    ['a pull request', compliantBy.pull_request({ pull_requests: [{}] }), true],
    ['no pull request', compliantBy.pull_request({ pull_requests: [] }), false],
    ['nothing about pull requests', compliantBy.pull_request({}), false],
    ['a decision for it', compliantBy.decision({ attestation_data: { is_compliant: true } }), true],
    ['a decision against it', compliantBy.decision({ attestation_data: { is_compliant: false } }), false],
    ['an override for the better', compliantBy.override({ new_compliance_status: true }), true],
    ['an override for the worse', compliantBy.override({ new_compliance_status: false }), false],
  ])('%s', (_what, is, expected) => {
    expect(is).toBe(expected);
  });
});
