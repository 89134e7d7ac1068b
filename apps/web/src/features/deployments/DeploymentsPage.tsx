import { useSearchParams } from 'react-router';
import { useEnvironmentNames } from '../../api/environments';
import { useAnswer } from '../../api/use-answer';
import { DeploymentTable } from '../../parts/DeploymentTable';
import { DeliveryCharts } from '../../parts/DeliveryCharts';
import { Empty, Page, Pager, Panel, usePageNumber } from '../../ui';
import { FieldRow, Select } from '../../ui/Fields';
import { ExportButton, queryOf, type Filters } from './ExportButton';

const PERIODS = [
  ['7', 'Last 7 days'],
  ['28', 'Last 28 days'],
  ['90', 'Last 90 days'],
  ['365', 'Last year'],
] as const;

export function DeploymentsPage() {
  const [search, setSearch] = useSearchParams();
  const filters: Filters = {
    environment: search.get('env') ?? '',
    repository: search.get('repo') ?? '',
    days: Number(search.get('days')) || 28,
  };
  const set = (name: string) => (value: string) =>
    setSearch((before) => {
      before.delete('page');
      if (value === '') before.delete(name);
      else before.set(name, value);
      return before;
    });
  return (
    <Page
      title="Deployments"
      lead="Each time an artifact began to run somewhere, with the time from its commit."
      actions={<ExportButton filters={filters} />}
    >
      <FieldRow>
        <Choices filters={filters} set={set} />
        <Select label="Time" value={String(filters.days)} onChange={set('days')} options={PERIODS} />
      </FieldRow>
      <DeliveryCharts environment={filters.environment} repository={filters.repository} days={filters.days} />
      <Panel title="All deployments" flush>
        <List filters={filters} />
      </Panel>
    </Page>
  );
}

interface ChoicesProps {
  readonly filters: Filters;
  readonly set: (name: string) => (value: string) => void;
}

function Choices({ filters, set }: ChoicesProps) {
  const names = useEnvironmentNames();
  const { repos } = useAnswer('/repos/{org}', {}, { per_page: 100 });
  const choices = (all: string, options: readonly string[]) => [
    ['', all] as const,
    ...[...Map.groupBy(options, (name) => name)].map(
      // A name that several share means all of them.
      ([name, { length }]) => [name, length === 1 ? name : `${name} (${length} repositories)`] as const,
    ),
  ];
  return (
    <>
      <Select
        label="Environment"
        value={filters.environment}
        onChange={set('env')}
        options={choices('All environments', names)}
      />
      <Select
        label="Repository"
        value={filters.repository}
        onChange={set('repo')}
        options={choices(
          'All repositories',
          repos.map(({ name }) => name),
        )}
      />
    </>
  );
}

function List({ filters }: { readonly filters: Filters }) {
  const page = usePageNumber();
  const data = useAnswer('/deployments/{org}', {}, { page, per_page: 25, ...queryOf(filters) });
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
