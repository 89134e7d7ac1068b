import { lazy } from 'react';
import { useSearchParams } from 'react-router';
import { useEnvironmentNames } from '../../api/environments';
import { useAnswer } from '../../api/use-answer';
import { DeploymentTable } from '../../parts/DeploymentTable';
import { DeliveryCharts } from '../../parts/DeliveryCharts';
import { Empty, Page, Pager, Panel, Time, useNow, usePageNumber } from '../../ui';
import { DateInput, FieldRow, Select } from '../../ui/Fields';
import { Tabs } from '../../ui/Tabs';
import { useFilter } from '../../ui/use-filter';
import { useZone } from '../../ui/zone';
import { ExportButton } from './ExportButton';
import { type Filters, filtersOf, KINDS, type Query, queryOf, type Span, spanOf, TIMES } from './filters';

const FiguresTable = lazy(async () => ({ default: (await import('./FiguresTable')).FiguresTable }));

export function DeploymentsPage() {
  const [address] = useSearchParams();
  const filters = filtersOf(address);
  const span = spanOf(filters, useNow(), useZone());
  return (
    <Page title="Deployments" lead="Each time an artifact began to run somewhere, with the time from its commit.">
      <FilteredDeployments filters={filters} span={span} />
    </Page>
  );
}

interface Props {
  readonly filters: Filters;
  readonly span: Span;
}

function FilteredDeployments({ filters, span }: Props) {
  const query = queryOf(filters, span);
  return (
    <>
      <FieldRow>
        <Choices filters={filters} environments={useEnvironmentNames()} />
      </FieldRow>
      <Tabs
        label="Deployments in parts"
        keep={KEPT_PARAMETERS}
        tabs={[
          { id: 'list', title: 'List and charts', content: <All filters={filters} span={span} query={query} /> },
          {
            id: 'environments',
            title: 'By environment',
            content: <FiguresTable by="environment" {...windowOf(query)} />,
          },
          {
            id: 'repositories',
            title: 'By repository',
            content: <FiguresTable by="repository" {...windowOf(query)} />,
          },
        ]}
      />
    </>
  );
}

/** Filters of the page. */
const KEPT_PARAMETERS = ['env', 'repo', 'kind', 'time', 'from', 'to'];

const windowOf = ({ start_ts, end_ts }: Query) => ({ start_ts, end_ts });

const All = ({ filters, span, query }: Props & { readonly query: Query }) => (
  <>
    {'period' in span && (
      <DeliveryCharts environments={query.env_name} repository={filters.repository} period={span.period} />
    )}
    <Panel title="All deployments" note={<Window query={query} />} flush actions={<ExportButton query={query} />}>
      <List query={query} />
    </Panel>
  </>
);

interface ChoicesProps {
  readonly filters: Filters;
  readonly environments: readonly string[];
}

function Choices({ filters, environments }: ChoicesProps) {
  const { repos } = useAnswer('/repos/{org}', {}, { per_page: 100 });
  const [, setEnvironment] = useFilter('env');
  const [, setRepository] = useFilter('repo');
  const [, setKind] = useFilter('kind');
  const [, setTime] = useFilter('time');
  const [from, setFrom] = useFilter('from');
  const [to, setTo] = useFilter('to');
  const choices = (all: string, options: readonly string[]) => [
    ['', all] as const,
    ...[...Map.groupBy(options, (name) => name)].map(
      // A name that several repositories share means all of them.
      ([name, { length }]) => [name, length === 1 ? name : `${name} (${length} repositories)`] as const,
    ),
  ];
  return (
    <>
      <Select
        label="Environment"
        value={filters.environment}
        onChange={setEnvironment}
        options={choices('All environments', environments)}
      />
      <Select
        label="Repository"
        value={filters.repository}
        onChange={setRepository}
        options={choices(
          'All repositories',
          repos.map(({ name }) => name),
        )}
      />
      <Select label="Kind" value={filters.kind} onChange={setKind} options={KINDS} />
      <Select label="Time" value={filters.time} onChange={setTime} options={TIMES} />
      {filters.time === 'own' && (
        <>
          <DateInput label="From" value={from} onChange={setFrom} />
          <DateInput label="To" value={to} onChange={setTo} />
        </>
      )}
    </>
  );
}

/** The start and end of the list, the figures and the export. */
const Window = ({ query: { start_ts, end_ts } }: { readonly query: Query }) => (
  <>
    since <Time at={start_ts} />
    {end_ts !== undefined && (
      <>
        , until <Time at={end_ts} />
      </>
    )}
  </>
);

function List({ query }: { readonly query: Query }) {
  const page = usePageNumber();
  const data = useAnswer('/deployments/{org}/detailed', {}, { page, per_page: 20, ...query });
  return (
    <>
      <DeploymentTable
        deployments={data.deployments}
        empty={<Empty icon="deployments" title="No deployment in this time" />}
      />
      <Pager page={page} pages={data.total_pages} total={data.total_count} />
    </>
  );
}
