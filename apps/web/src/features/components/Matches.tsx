import { api, query as client } from '../../api/client';
import { ApiError } from '../../api/error';
import { useOrg } from '../../api/session';
import { ExportButtons } from '../../parts/ExportButtons';
import { Unjudged } from '../../parts/components/Unjudged';
import { Empty, formatCount, Loading, Pager, Panel, usePageNumber } from '../../ui';
import { COLUMNS, rowsOf } from './exported';
import { MatchTable, NotComparable } from './MatchTable';
import type { Query } from './question';

const PER_PAGE = 25;
const MOST = 100;

/** The artifacts with the component, and the limits of the answer. */
export function Matches({ query }: { readonly query: Query }) {
  const org = useOrg();
  const page = usePageNumber();
  const { data, error } = client.useQuery(
    'get',
    '/components/{org}',
    { params: { path: { org }, query: { ...query, page, per_page: PER_PAGE } } },
    { throwOnError: (fault: unknown) => !isRefusal(fault) },
  );
  if (isRefusal(error)) {
    return (
      <Panel title="Artifacts">
        <Empty icon="search" title="This cannot be answered">
          <bdi>{Object.values(error.fields).join('. ') || error.message}</bdi>
        </Empty>
      </Panel>
    );
  }
  if (data === undefined) return <Loading />;
  const { artifacts, not_comparable: others } = data;
  return (
    <div className="stack">
      <Unjudged answer={data} counted={<Counted query={query} />}>
        {others.total_count > 0 && (
          <p>
            <strong>
              {formatCount(others.total_count)} {others.total_count === 1 ? 'version' : 'versions'}
            </strong>{' '}
            cannot be compared with this range. Nobody knows whether {others.total_count === 1 ? 'it is' : 'they are'}{' '}
            in it: see below.
          </p>
        )}
      </Unjudged>
      <Panel
        title="Artifacts with it"
        note={formatCount(data.total_count)}
        flush
        actions={
          <ExportButtons
            name="components"
            columns={COLUMNS}
            load={async ({ page: next = '1' }) => {
              const more = { ...query, page: Number(next), per_page: MOST };
              const { data: some } = await api.GET('/components/{org}', { params: { path: { org }, query: more } });
              const last = some === undefined || some.page >= some.total_pages;
              return {
                rows: rowsOf(some?.artifacts ?? []),
                total: some?.total_count ?? 0,
                next: last ? undefined : { page: String(some.page + 1) },
              };
            }}
          />
        }
      >
        <MatchTable
          artifacts={artifacts}
          isJudged={data.without_sbom + data.incomplete_sbom + others.total_count === 0}
        />
        <Pager page={page} pages={data.total_pages} total={data.total_count} />
      </Panel>
      {others.total_count > 0 && <NotComparable answer={others} />}
    </div>
  );
}

/** Whether the service refused the question. Its answer says what to change. */
const isRefusal = (fault: unknown): fault is ApiError => fault instanceof ApiError && fault.status === 400;

const Counted = ({ query: { environment } }: { readonly query: Query }) =>
  environment === undefined ? (
    'of the organization'
  ) : (
    <>
      that ever ran in <bdi>{environment}</bdi>
    </>
  );
