import type { FormFile } from './requests.ts';
import { sbomOf } from './sbom.ts';
import type { Release } from './shop.ts';

export interface Attestation {
  readonly type: string;
  readonly data: {
    readonly attestation_name: string;
    readonly artifact_fingerprint?: string;
    readonly [field: string]: unknown;
  };
  readonly file?: FormFile;
}
/** The seconds from a commit to the end of its tests. */
const TEST_DELAY = 600;
type Version = Pick<Release, 'service' | 'version'>;

/** Attestations of a release's pipeline, oldest first. They include the names of the flow's template. */
export function evidenceOf({ service, commit, fingerprint, version, number }: Release): readonly Attestation[] {
  const { artifact, repo, author, issue, flow } = service;
  const ofArtifact = { target_artifacts: [artifact], artifact_fingerprint: fingerprint };
  const failedCount = isFaulty({ service, version }) ? 2 : 0;
  const evidence: Attestation[] = [];
  if (isReviewed({ service, version })) {
    evidence.push({
      type: 'pull_request',
      data: {
        attestation_name: 'review',
        git_provider: repo.provider,
        pull_requests: [
          {
            url: `${repo.url}/pull/${30 + number}`,
            title: commit.message,
            state: 'MERGED',
            author: nameOf(author),
            approvers: ['barbara'],
          },
        ],
      },
    });
  }
  if (issue !== undefined) {
    const issue_id = `${issue}-${10 + number}`;
    const jira_results = [{ issue_id, issue_url: `https://jira.example.com/browse/${issue_id}`, issue_exists: true }];
    evidence.push({ type: 'jira', data: { attestation_name: 'ticket', jira_results } });
  }
  if (service.tests === 'junit') {
    const counts = { total: 110 + number, failures: failedCount, errors: 0, skipped: 1 };
    const suite = { name: 'unit', ...counts, duration: 12.4, timestamp: commit.timestamp + TEST_DELAY };
    evidence.push({
      type: 'junit',
      data: { attestation_name: 'tests', ...ofArtifact, junit_results: [suite] },
      file: ['attachment_file', 'junit.xml', reportOf(suite)],
    });
  } else {
    const description = 'Mails were sent to a test address';
    evidence.push({
      type: 'generic',
      data: { attestation_name: 'tests', ...ofArtifact, is_compliant: true, description },
    });
  }
  if (flow === 'demo-web') evidence.push(...checksOfWeb({ number, ofArtifact, version }));
  return evidence;
}

/** The fifth version of checkout failed its tests and was deployed anyway. */
const isFaulty = ({ service, version }: Version) => service.flow === 'demo-checkout' && version === '2.5';

/** The newest version of web was never reviewed. */
const isReviewed = ({ service, version }: Version) => !(service.flow === 'demo-web' && version === '2.10');

const nameOf = (author: string) => author.replace(/ .*/, '').toLowerCase();

const reportOf = ({ name, total, failures }: { name: string; total: number; failures: number }) =>
  `<?xml version="1.0"?>\n<testsuites><testsuite name="${name}" tests="${total}" failures="${failures}"/></testsuites>\n`;

interface Check {
  readonly number: number;
  readonly ofArtifact: object;
  readonly version: string;
}

/** Steps of the web shop's pipeline alone: a bill of materials, a scan, a quality gate, a custom type, and a decision on the control of reviews. */
function checksOfWeb({ number, ofArtifact, version }: Check): readonly Attestation[] {
  const coverage = 80 + number;
  const condition = {
    metric: 'new_coverage',
    operator: 'LT',
    errorThreshold: '80',
    value: String(coverage),
    status: 'OK',
  };
  const serverUrl = 'https://sonar.example.com';
  const sonar_results = {
    serverUrl,
    project: { name: 'shop-web', url: `${serverUrl}/dashboard?id=shop-web` },
    qualityGate: { status: 'OK', conditions: [condition] },
  };
  const coverageData = { type_name: TYPE.name, ...ofArtifact, attestation_data: { lines: coverage } };
  const decisionData = { type_name: 'decision', control: CONTROL.identifier, attestation_data: { is_compliant: true } };
  return [
    ...contents(ofArtifact, version),
    ...scans(ofArtifact, version === '2.9'),
    { type: 'sonar', data: { attestation_name: 'quality', sonar_results } },
    { type: 'custom', data: { attestation_name: 'coverage', ...coverageData } },
    ...(version === '2.10' ? [] : [{ type: 'system', data: { attestation_name: 'reviewed', ...decisionData } }]),
  ];
}

/** The bill of materials of a version that has one. */
function contents(ofArtifact: object, version: string): readonly Attestation[] {
  const sbom = sbomOf(version);
  if (sbom === null) return [];
  const attestation_data = { original_fingerprint: sbom.sha256 };
  return [
    {
      type: 'system',
      data: { attestation_name: 'bom', type_name: 'sbom', ...ofArtifact, attestation_data },
      file: ['attachment_file', 'bom.json', sbom.text],
    },
  ];
}

/** A scan that found nothing; or a false alarm, and that somebody took it for one. */
function scans(ofArtifact: object, hasFinding: boolean): readonly Attestation[] {
  const counts = { critical_count: 0, high_count: 0, medium_count: hasFinding ? 1 : 0, low_count: 0 };
  const medium = hasFinding ? [{ id: 'SNYK-JS-QS-1', title: 'Prototype pollution', packageName: 'qs' }] : [];
  const scanData = { attestation_name: 'scan', ...ofArtifact };
  const scan = { type: 'snyk', data: { ...scanData, snyk_results: { results: [{ ...counts, medium }] } } };
  if (!hasFinding) return [scan];
  const reason = 'A false alarm: the shop does not call this function, see SHOP-19';
  return [
    scan,
    { type: 'override', data: { ...scanData, reason, new_compliance_status: true, original_attestation_type: 'snyk' } },
  ];
}

/** The control of reviews. */
export const CONTROL = {
  identifier: 'DEMO-CC8.1',
  name: 'Changes are reviewed',
  description: 'Whoever made a change does not release it alone',
};

/** A type of attestation of the shop's own. */
export const TYPE = {
  name: 'demo-coverage',
  description: 'How many lines the tests ran, in percent',
  evaluator: { content_type: 'jq', rules: ['.lines >= 80'] },
};
