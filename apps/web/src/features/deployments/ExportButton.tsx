import { useState } from 'react';
import { api, type Schemas } from '../../api/client';
import { useOrg } from '../../api/session';
import { daysAgo } from '../../api/window';
import { Button } from '../../ui';
import { csvOf } from './csv';

type Deployment = Schemas['DetailedDeployment'];

/** The filter of the list, its charts and its export. */
export interface Filters {
  readonly environment: string;
  readonly repository: string;
  readonly days: number;
}

/** The query of the API that the filters stand for. */
export const queryOf = ({ environment, repository, days }: Filters) => ({
  start_ts: daysAgo(days),
  env_name: environment || undefined,
  repo_name: repository || undefined,
});

const PER_PAGE = 50;
const FIELDS = [
  'deployed_at',
  'env_name',
  'artifact_name',
  'fingerprint',
  'snapshot_index',
  'kind',
  'lead_time',
] as const;

const rowOf = (deployment: Deployment) =>
  FIELDS.map((field) =>
    field === 'deployed_at' ? new Date(deployment.deployed_at * 1000).toISOString() : deployment[field],
  );

/** Where a page stands: its time and the row before it stay while deployments come. */
interface Page {
  readonly start_ts?: number;
  readonly end_ts?: number;
  readonly after?: string;
}

/** The page that a link leads to; null where there is none. */
function pageOf(link: string | undefined): Page | null {
  if (link === undefined) return null;
  const query = new URL(link).searchParams;
  const time = (name: string) => Number(query.get(name));
  return { start_ts: time('start_ts'), end_ts: time('end_ts'), after: query.get('after') ?? '' };
}

/** Saves all that the filters name as CSV, page by page of the API. No deployment is in it twice, however many come meanwhile. */
export function ExportButton({ filters }: { readonly filters: Filters }) {
  const org = useOrg();
  const [progress, setProgress] = useState<string | null>(null);
  const save = async () => {
    setProgress('Exporting');
    try {
      const { env_name, ...others } = queryOf(filters);
      const filter = { ...others, env_name: env_name === undefined ? undefined : [env_name] };
      const rows: ReturnType<typeof rowOf>[] = [];
      for (let page: Page | null = {}; page !== null;) {
        const { data } = await api.GET('/deployments/{org}/detailed', {
          params: { path: { org }, query: { ...filter, ...page, per_page: PER_PAGE } },
        });
        rows.push(...(data?.deployments ?? []).map(rowOf));
        setProgress(`Exporting ${Math.min(100, Math.round((rows.length / (data?.total_count || 1)) * 100))} %`);
        page = pageOf(data?._links?.next);
      }
      download(`deployments-${org}.csv`, csvOf([FIELDS, ...rows]));
      setProgress(null);
    } catch (fault) {
      setProgress(fault instanceof Error ? `Failed: ${fault.message}` : 'Failed');
    }
  };
  return (
    <>
      <Button icon="download" onPress={() => void save()}>
        Export CSV
      </Button>
      <span className="small quiet" role="status">
        {progress}
      </span>
    </>
  );
}

function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
