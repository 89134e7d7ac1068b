import { useSearchParams } from 'react-router';
import type { Schemas } from '../../api/client';
import { useEnvironmentNames } from '../../api/environments';
import { useMay } from '../../api/session';
import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import { UnknownVulnerabilities } from '../../parts/components/UnknownVulnerabilities';
import { Badge, DescribedLink, formatCount, NameLinks, Page, Pager, Panel, Table, usePageNumber } from '../../ui';
import { FieldRow, Select } from '../../ui/Fields';
import { useFilter } from '../../ui/use-filter';
import { ImportForm } from './ImportForm';
import { NoVulnerabilities } from './NoVulnerabilities';
import { SEVERITIES, Severity, severityOf } from './Severity';
import { Sources } from './Sources';

const PER_PAGE = 50;

/** The known vulnerabilities of artifacts that run or ran. */
export function VulnerabilitiesPage() {
  const may = useMay();
  return (
    <Page
      title="Vulnerabilities"
      lead="Known vulnerabilities of what runs and ran, as SBOMs, imported databases and scanners say. VEX statements do not shorten the list."
      actions={may('organization') && <ImportForm />}
    >
      <Filters />
      <List />
    </Page>
  );
}

function Filters() {
  const [env, setEnv] = useFilter('env');
  const [severity, setSeverity] = useFilter('severity');
  const names = useEnvironmentNames();
  return (
    <FieldRow>
      <Select
        label="Runs in"
        value={env}
        onChange={setEnv}
        options={[['', 'Anywhere, now or before'], ...names.map((name) => [name, `${name}, now`] as const)]}
      />
      <Select
        label="Severity"
        value={severity}
        onChange={setSeverity}
        options={[['', 'All'], ...SEVERITIES.map(([value, word]) => [value, `${word} or worse`] as const)]}
      />
    </FieldRow>
  );
}

/** How many environments of a vulnerability are shown by name. */
const NAMES_SHOWN = 5;

function List() {
  const page = usePageNumber();
  const [address] = useSearchParams();
  const environment = address.get('env') || undefined;
  const min_severity = severityOf(address.get('severity'));
  const data = useAnswer('/vulnerabilities/{org}', {}, { page, per_page: PER_PAGE, environment, min_severity });
  const scope =
    environment === undefined ? (
      'of the organization'
    ) : (
      <>
        in <bdi>{environment}</bdi>
      </>
    );
  return (
    <div className="stack">
      <UnknownVulnerabilities answer={data} scope={scope} />
      <Panel title="Known vulnerabilities" note={formatCount(data.total_count)} flush>
        <Table
          label="Known vulnerabilities"
          rows={data.vulnerabilities}
          keyOf={({ id }) => id}
          empty={<NoVulnerabilities />}
          columns={[
            {
              head: 'Vulnerability',
              kind: 'main',
              cell: ({ id, summary }) => <DescribedLink to={to.vulnerability(id)} name={id} description={summary} />,
            },
            { head: 'Severity', cell: ({ severity }) => <Severity value={severity} /> },
            { head: 'Runs', cell: ({ exposed }) => <ExposedMark value={exposed} /> },
            { head: 'Environments', kind: 'text', cell: (row) => <Environments row={row} /> },
            { head: 'Artifacts', kind: 'number', cell: ({ artifact_count }) => formatCount(artifact_count) },
            { head: 'Sources', kind: 'text', cell: ({ sources }) => <Sources sources={sources} /> },
            { head: 'VEX', kind: 'text', cell: ({ vex }) => wordsOfStates(vex) },
          ]}
        />
        <Pager page={page} pages={data.total_pages} total={data.total_count} />
      </Panel>
    </div>
  );
}

const ExposedMark = ({ value }: { readonly value: boolean }) =>
  value ? <Badge tone="warn">Runs now</Badge> : <span className="quiet">no longer</span>;

type Row = Schemas['ListedVulnerability'];

const Environments = ({ row: { environments, environment_count: count } }: { readonly row: Row }) => (
  <span className="pile">
    <NameLinks
      names={environments.slice(0, NAMES_SHOWN).map(({ environment }) => environment)}
      to={to.environment}
      none="nowhere"
    />
    {count > NAMES_SHOWN && <span className="quiet small">and {formatCount(count - NAMES_SHOWN)} more</span>}
  </span>
);

const STATES = [
  ['affected', 'affected'],
  ['under_investigation', 'under investigation'],
  ['not_affected', 'not affected'],
  ['fixed', 'fixed'],
  ['none', 'without a statement'],
] as const;

/** How many pairs of an artifact and a component have each state. */
const wordsOfStates = (vex: Row['vex']): string =>
  STATES.flatMap(([name, words]) => (vex[name] === 0 ? [] : [`${formatCount(vex[name])} ${words}`])).join(', ');
