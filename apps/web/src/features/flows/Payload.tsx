import type { Schemas } from '../../api/client';
import { Badge, CodeLines, Empty, Facts, SafeLink, Table, Verdict } from '../../ui';
import css from './Attestations.module.css';
import { listOf, numberOf, recordOf, textOf, type Fields } from './unknown-values';

type Attestation = Schemas['Attestation'];

/**
 * The payload of an attestation, by its type. Payloads come from outside and may have any form. Parts that do not have the usual form of the type are
 * left out. The whole payload is shown below.
 */
export function Payload({ attestation }: { readonly attestation: Attestation }) {
  const raw = rawOf(attestation);
  return (
    <>
      <RenderedPayload attestation={attestation} />
      <ScanReports reports={attestation.scan_reports ?? []} />
      {raw !== null && (
        <details>
          <summary className="small quiet">As it was reported</summary>
          <CodeLines text={JSON.stringify(raw, null, 2)} label="Payload" />
        </details>
      )}
    </>
  );
}

/** The part of the answer that depends on the type. */
const rawOf = (attestation: Attestation): unknown =>
  attestation.junit_results ??
  attestation.snyk_results ??
  attestation.sonar_results ??
  attestation.jira_results ??
  attestation.pull_requests ??
  attestation.attestation_data ??
  attestation.user_data ??
  null;

function RenderedPayload({ attestation }: { readonly attestation: Attestation }) {
  switch (attestation.attestation_type) {
    case 'junit':
      return <Junit results={listOf(attestation.junit_results)} />;
    case 'snyk':
      return <Snyk results={recordOf(attestation.snyk_results)} />;
    case 'sonar':
      return <Sonar results={recordOf(attestation.sonar_results)} />;
    case 'jira':
      return <Jira results={listOf(attestation.jira_results)} />;
    case 'pull_request':
      return <PullRequests requests={listOf(attestation.pull_requests)} />;
    case 'sbom':
      return <Sbom read={recordOf(attestation['sbom' as keyof Attestation])} />;
    default:
      return <Decision attestation={attestation} />;
  }
}

const Junit = ({ results }: { readonly results: readonly Fields[] }) => (
  <Table
    label="Suites"
    rows={results}
    empty={<Empty icon="types" title="No test ran" />}
    keyOf={(row) => `${textOf(row['name'])} ${results.indexOf(row)}`}
    columns={[
      { head: 'Suite', kind: 'main', cell: (row) => <bdi>{textOf(row['name']) || 'unnamed'}</bdi> },
      ...(['total', 'failures', 'errors', 'skipped'] as const).map((field) => ({
        head: `${field.charAt(0).toUpperCase()}${field.slice(1)}`,
        kind: 'number' as const,
        cell: (row: Fields) => numberOf(row[field]) ?? '–',
      })),
      { head: 'Seconds', kind: 'number', cell: (row) => numberOf(row['duration'])?.toFixed(1) ?? '–' },
    ]}
  />
);

const SEVERITIES = [
  ['critical', 'bad'],
  ['high', 'bad'],
  ['medium', 'warn'],
  ['low', 'none'],
] as const;

function Snyk({ results }: { readonly results: Fields }) {
  const scans = listOf(results['results']);
  const count = (severity: string) => scans.reduce((sum, scan) => sum + (numberOf(scan[`${severity}_count`]) ?? 0), 0);
  const result = SEVERITIES.flatMap(([severity]) =>
    scans.flatMap((scan) => listOf(scan[severity]).map((issue) => ({ severity, issue }))),
  ).slice(0, 200);
  return (
    <>
      <p className={css.counts}>
        {SEVERITIES.map(([severity, tone]) => (
          <Badge key={severity} tone={count(severity) === 0 ? 'none' : tone}>
            {`${count(severity)} ${severity}`}
          </Badge>
        ))}
      </p>
      {scans.length === 0 && <p className="quiet">No result: nothing was scanned.</p>}
      {result.length > 0 && (
        <Table
          label="Vulnerabilities"
          rows={result}
          keyOf={(row) => String(result.indexOf(row))}
          columns={[
            {
              head: 'Vulnerability',
              kind: 'main',
              cell: ({ issue }) => <bdi>{textOf(issue['title']) || textOf(issue['id'])}</bdi>,
            },
            { head: 'Severity', cell: ({ severity }) => severity },
            {
              head: 'Package',
              cell: ({ issue }) => <bdi>{textOf(issue['package']) || textOf(issue['packageName'])}</bdi>,
            },
          ]}
        />
      )}
    </>
  );
}

function Sonar({ results }: { readonly results: Fields }) {
  const gate = recordOf(results['qualityGate']);
  const project = recordOf(results['project']);
  const conditions = listOf(gate['conditions']);
  return (
    <>
      <Facts
        facts={[
          [
            'Quality gate',
            <Badge tone={textOf(gate['status']) === 'OK' ? 'good' : 'bad'}>
              {textOf(gate['status']) || 'unknown'}
            </Badge>,
          ],
          [
            'Project',
            <SafeLink href={textOf(project['url'])}>
              <bdi>{textOf(project['name']) || textOf(project['key'])}</bdi>
            </SafeLink>,
          ],
          ['Branch', <bdi>{textOf(recordOf(results['branch'])['name'])}</bdi>],
          ['Server', textOf(results['serverUrl']) && <SafeLink href={textOf(results['serverUrl'])} />],
        ]}
      />
      {conditions.length > 0 && (
        <Table
          label="Conditions"
          rows={conditions}
          keyOf={(row) => String(conditions.indexOf(row))}
          columns={[
            { head: 'Condition', kind: 'main', cell: (row) => <bdi>{textOf(row['metric'])}</bdi> },
            { head: 'Value', kind: 'number', cell: (row) => textOf(row['value']) },
            {
              head: 'Threshold',
              kind: 'number',
              cell: (row) => `${textOf(row['operator'])} ${textOf(row['errorThreshold'])}`,
            },
            { head: 'Status', cell: (row) => textOf(row['status']) },
          ]}
        />
      )}
    </>
  );
}

const Jira = ({ results }: { readonly results: readonly Fields[] }) => (
  <ul className={css.files}>
    {results.map((issue, i) => (
      <li key={i} className="line">
        <SafeLink href={textOf(issue['issue_url'])}>
          <bdi>{textOf(issue['issue_id']) || 'issue'}</bdi>
        </SafeLink>
        <bdi>{textOf(recordOf(issue['issue_fields'])['summary'])}</bdi>
        <Verdict value={issue['issue_exists'] === true}>
          {issue['issue_exists'] === true ? 'Exists' : 'Not found'}
        </Verdict>
      </li>
    ))}
  </ul>
);

const approverOf = (approver: unknown): string =>
  typeof approver === 'string' ? approver : textOf(recordOf(approver)['username']);

const PullRequests = ({ requests }: { readonly requests: readonly Fields[] }) => (
  <ul className={css.files}>
    {requests.map((request, i) => {
      const approvers = Array.isArray(request['approvers']) ? request['approvers'].map(approverOf).filter(Boolean) : [];
      return (
        <li key={i} className="pile">
          <SafeLink href={textOf(request['url'])}>
            <bdi>{textOf(request['title']) || textOf(request['url'])}</bdi>
          </SafeLink>
          <span className="small quiet">
            {textOf(request['state'])}{' '}
            {textOf(request['author']) !== '' && (
              <>
                by <bdi>{textOf(request['author'])}</bdi> ·{' '}
              </>
            )}
            {approvers.length > 0 ? (
              <>
                approved by <bdi>{approvers.join(', ')}</bdi>
              </>
            ) : (
              'nobody approved'
            )}
          </span>
        </li>
      );
    })}
  </ul>
);

/** The data that the service read from an attached bill of materials. */
function Sbom({ read }: { readonly read: Fields }) {
  const subject = recordOf(read['subject']);
  return (
    <Facts
      facts={[
        ['Format', <bdi>{textOf(read['format'])}</bdi>],
        ['Packages', numberOf(read['package_count']) ?? '–'],
        ['Describes', <bdi>{`${textOf(subject['name'])} ${textOf(subject['version'])}`.trim() || 'not named'}</bdi>],
        ['Made at', <bdi>{textOf(read['created_at'])}</bdi>],
      ]}
    />
  );
}

function ScanReports({ reports }: { readonly reports: NonNullable<Attestation['scan_reports']> }) {
  if (reports.length === 0) return null;
  return (
    <Table
      label="Reports of scanners"
      rows={reports}
      empty={null}
      keyOf={(report) => String(reports.indexOf(report))}
      columns={[
        { head: 'Report', kind: 'main', cell: ({ file }) => <bdi>{file ?? 'in the data'}</bdi> },
        { head: 'Format', cell: ({ format }) => format ?? '–' },
        { head: 'Scanner', cell: ({ tool }) => <bdi>{tool || '–'}</bdi> },
        { head: 'Findings', kind: 'number', cell: ({ findings }) => findings },
        { head: 'Not read', kind: 'number', cell: ({ unread }) => unread },
        { head: 'Problem', cell: ({ problem }) => <bdi>{problem ?? '–'}</bdi> },
      ]}
    />
  );
}

/** A decision on a control, an override, or an attestation of a custom type. */
const Decision = ({
  attestation: { control, control_version, reason, new_compliance_status, type_name, type_version },
}: {
  readonly attestation: Attestation;
}) => (
  <Facts
    facts={[
      ['Control', control && <bdi>{control_version ? `${control}, version ${control_version}` : control}</bdi>],
      ['Reason', reason && <bdi>{reason}</bdi>],
      ['Decided', new_compliance_status !== undefined && <Verdict value={new_compliance_status} />],
      ['Custom type', type_name && <bdi>{type_version ? `${type_name}, version ${type_version}` : type_name}</bdi>],
    ]}
  />
);
