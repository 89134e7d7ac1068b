import { api, type Schemas } from '../../api/client';
import { useOrg } from '../../api/session';
import { type ExportColumns, ExportButtons } from '../../parts/ExportButtons';
import type { Query } from './filters';

const PER_PAGE = 50;

const COLUMNS: ExportColumns<Schemas['DetailedDeployment']> = [
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

/** Saves all deployments that match the filters. */
export function ExportButton({ query }: { readonly query: Query }) {
  const org = useOrg();
  return (
    <ExportButtons
      name="deployments"
      columns={COLUMNS}
      positions={['start_ts', 'end_ts', 'after']}
      load={async ({ start_ts, end_ts, after }) => {
        const ends = after === undefined ? {} : { after, start_ts: Number(start_ts), end_ts: Number(end_ts) };
        const { data } = await api.GET('/deployments/{org}/detailed', {
          params: { path: { org }, query: { ...query, ...ends, per_page: PER_PAGE } },
        });
        return { rows: data?.deployments ?? [], total: data?.total_count ?? 0, next: data?._links?.next };
      }}
    />
  );
}
