import { useState } from 'react';
import { api, type Schemas } from '../../api/client';
import { useOrg } from '../../api/session';
import { daysAgo } from '../../api/window';
import { Button } from '../../ui';
import { cellOf } from './csv';

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

const lineOf = (deployment: Deployment) =>
  FIELDS.map((field) =>
    cellOf(field === 'deployed_at' ? new Date(deployment.deployed_at * 1000).toISOString() : deployment[field]),
  ).join(',');

/** Saves all that the filters name as CSV, page by page of the API. */
export function ExportButton({ filters }: { readonly filters: Filters }) {
  const org = useOrg();
  const [progress, setProgress] = useState<string | null>(null);
  const save = async () => {
    setProgress('Exporting');
    try {
      const lines = [FIELDS.join(',')];
      for (let page = 1, pages = 1; page <= pages; page += 1) {
        const { env_name, ...others } = queryOf(filters);
        const query = { ...others, env_name: env_name === undefined ? undefined : [env_name] };
        const { data } = await api.GET('/deployments/{org}/detailed', {
          params: { path: { org }, query: { ...query, page, per_page: PER_PAGE } },
        });
        pages = data?.total_pages ?? 0;
        lines.push(...(data?.deployments ?? []).map(lineOf));
        setProgress(`Exporting ${Math.round((page / Math.max(1, pages)) * 100)} %`);
      }
      download(`deployments-${org}.csv`, lines.join('\r\n'));
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
