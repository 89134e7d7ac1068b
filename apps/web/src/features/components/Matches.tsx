import { api, query as client } from '../../api/client';
import { ApiError } from '../../api/error';
import { useOrg } from '../../api/session';
import { ExportButtons } from '../../parts/ExportButtons';
import { Unjudged } from '../../parts/components/Unjudged';
import { Empty, formatCount, Loading, Pager, Panel, usePageNumber } from '../../ui';
import { COLUMNS, rowsOf } from './export-rows';
import { MatchTable, NotComparable } from './MatchTable';
import type { Query } from './question';

const PER_PAGE = 25;
const PER_PAGE_MAX = 100;

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
  const { artifacts, not_comparable: incomparable } = data;
  return (
    <div className="stack">
      <Unjudged answer={data} scope={<Scope query={query} />}>
        {incomparable.total_count > 0 && (
          <p>
            <strong>
              {formatCount(incomparable.total_count)} {incomparable.total_count === 1 ? 'version' : 'versions'}
            </strong>{' '}
            cannot be compared with this range. Nobody knows whether{' '}
            {incomparable.total_count === 1 ? 'it is' : 'they are'} in it: see below.
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
              const nextQuery = { ...query, page: Number(next), per_page: PER_PAGE_MAX };
              const { data: nextPage } = await api.GET('/components/{org}', {
                params: { path: { org }, query: nextQuery },
              });
              const last = nextPage === undefined || nextPage.page >= nextPage.total_pages;
              return {
                rows: rowsOf(nextPage?.artifacts ?? []),
                total: nextPage?.total_count ?? 0,
                next: last ? undefined : { page: String(nextPage.page + 1) },
              };
            }}
          />
        }
      >
        <MatchTable
          artifacts={artifacts}
          isJudged={data.without_sbom + data.incomplete_sbom + incomparable.total_count === 0}
        />
        <Pager page={page} pages={data.total_pages} total={data.total_count} />
      </Panel>
      {incomparable.total_count > 0 && <NotComparable answer={incomparable} />}
    </div>
  );
}

/** Whether the service refused the question. Its answer says what to change. */
const isRefusal = (fault: unknown): fault is ApiError => fault instanceof ApiError && fault.status === 400;

const Scope = ({ query: { environment } }: { readonly query: Query }) =>
  environment === undefined ? (
    'of the organization'
  ) : (
    <>
      that ever ran in <bdi>{environment}</bdi>
    </>
  );
