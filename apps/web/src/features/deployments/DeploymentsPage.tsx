import { useSearchParams } from 'react-router';
import { query } from '../../api/client';
import { useEnvironmentNames } from '../../api/environments';
import { useOrg } from '../../api/session';
import { daysAgo } from '../../api/window';
import { DeploymentTable } from '../../parts/DeploymentTable';
import { DeliveryCharts } from '../../parts/DeliveryCharts';
import { Empty, Page, Pager, Panel, usePageNumber } from '../../ui';
import { FieldRow, Select } from '../../ui/Fields';
import { ExportButton } from './ExportButton';

const PERIODS = [
  ['7', 'Last 7 days'],
  ['28', 'Last 28 days'],
  ['90', 'Last 90 days'],
  ['365', 'Last year'],
] as const;

/** The filter of the list, its charts and its export. */
export interface Filters {
  readonly environment: string;
  readonly repository: string;
  readonly days: number;
}

export function DeploymentsPage() {
  const org = useOrg();
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
      actions={<ExportButton org={org} filters={filters} />}
    >
      <FieldRow>
        <Choices org={org} filters={filters} set={set} />
        <Select label="Time" value={String(filters.days)} onChange={set('days')} options={PERIODS} />
      </FieldRow>
      <DeliveryCharts org={org} environment={filters.environment} repository={filters.repository} days={filters.days} />
      <Panel title="All deployments" flush>
        <List org={org} filters={filters} />
      </Panel>
    </Page>
  );
}

interface ChoicesProps {
  readonly org: string;
  readonly filters: Filters;
  readonly set: (name: string) => (value: string) => void;
}

function Choices({ org, filters, set }: ChoicesProps) {
  const names = useEnvironmentNames(org);
  const { repos } = query.useSuspenseQuery('get', '/repos/{org}', {
    params: { path: { org }, query: { per_page: 100 } },
  }).data;
  const choices = (all: string, options: readonly string[]) => [
    ['', all] as const,
    ...options.map((name) => [name, name] as const),
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

/** The query of the API that the filters stand for. */
export const queryOf = ({ environment, repository, days }: Filters) => ({
  start_ts: daysAgo(days),
  ...(environment === '' ? {} : { env_name: environment }),
  ...(repository === '' ? {} : { repo_name: repository }),
});

function List({ org, filters }: { readonly org: string; readonly filters: Filters }) {
  const page = usePageNumber();
  const { data } = query.useSuspenseQuery('get', '/deployments/{org}', {
    params: { path: { org }, query: { page, per_page: 25, ...queryOf(filters) } },
  });
  return (
    <>
      <DeploymentTable
        org={org}
        deployments={data.deployments}
        empty={<Empty icon="deployments" title="No deployment in this time" />}
      />
      <Pager page={page} pages={data.total_pages} total={data.total_count} />
    </>
  );
}
