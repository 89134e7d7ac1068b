import { useState } from 'react';
import { api, type Schemas } from '../../api/client';
import { useOrg } from '../../api/session';
import { Button } from '../../ui';
import { csvOf } from './csv';
import { download } from './download';
import type { Query } from './filters';

type Deployment = Schemas['DetailedDeployment'];

const PER_PAGE = 50;

/** The columns of the file, each with what it holds of a deployment. */
const COLUMNS: readonly (readonly [
  name: string,
  of: (deployment: Deployment) => string | number | null | undefined,
])[] = [
  ['deployed_at', ({ deployed_at }) => new Date(deployed_at * 1000).toISOString()],
  ['env_name', ({ env_name }) => env_name],
  ['artifact_name', ({ artifact_name }) => artifact_name],
  ['fingerprint', ({ fingerprint }) => fingerprint],
  ['snapshot_index', ({ snapshot_index }) => snapshot_index],
  ['kind', ({ kind }) => kind],
  ['lead_time', ({ lead_time }) => lead_time],
  ['compliance', ({ compliance }) => compliance?.toString()],
  ['commit', ({ commit }) => commit?.sha1],
  ['commit_message', ({ commit }) => commit?.message],
  ['commit_author', ({ commit }) => commit?.author],
  ['replaced_artifact_name', ({ replaced_artifact }) => replaced_artifact?.artifact_name],
  ['replaced_fingerprint', ({ replaced_artifact }) => replaced_artifact?.fingerprint],
  ['diff_url', ({ diff_url }) => diff_url],
];

const rowOf = (deployment: Deployment) => COLUMNS.map(([, of]) => of(deployment));

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
export function ExportButton({ query }: { readonly query: Query }) {
  const org = useOrg();
  const [progress, setProgress] = useState<string | null>(null);
  const save = async () => {
    setProgress('Exporting');
    try {
      const rows: ReturnType<typeof rowOf>[] = [];
      for (let page: Page | null = {}; page !== null;) {
        const { data } = await api.GET('/deployments/{org}/detailed', {
          params: { path: { org }, query: { ...query, ...page, per_page: PER_PAGE } },
        });
        rows.push(...(data?.deployments ?? []).map(rowOf));
        setProgress(`Exporting ${Math.min(100, Math.round((rows.length / (data?.total_count || 1)) * 100))} %`);
        page = pageOf(data?._links?.next);
      }
      download(`deployments-${org}.csv`, csvOf([COLUMNS.map(([name]) => name), ...rows]));
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
