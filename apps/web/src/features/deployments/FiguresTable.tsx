import { csvOf } from '@assurance/kernel/shown/csv';
import { useState } from 'react';
import { useSuspenseQueries } from '@tanstack/react-query';
import { query, type Schemas } from '../../api/client';
import { useOrg } from '../../api/session';
import { useAnswer } from '../../api/use-answer';
import { nameOf } from '../../api/window';
import { to } from '../../app/paths';
import { ComparedTimes } from '../../parts/ComparedTimes';
import { download } from '../../parts/download';
import { Button, Duration, Empty, formatCount, formatDuration, formatShare, NameLink, Panel, Table } from '../../ui';
import { FieldRow, Select } from '../../ui/Fields';
import { useFilter } from '../../ui/use-filter';
import { useZone } from '../../ui/zone';
import { ORDERS, sorted } from './order-figures';

type Row = Schemas['DeliveryFigures']['figures'][number];
type By = 'environment' | 'repository';

const PER_PAGE = 50;
/** How many pages are read. Sorting needs all rows. */
const PAGES_MAX = 8;

interface Props {
  readonly by: By;
  /** Epoch seconds, inclusive. Without an end, the window lasts until now. */
  readonly start_ts: number;
  readonly end_ts: number | undefined;
}

/** The figures of every environment or repository. They can be sorted, and each has the figures of the previous period of equal length. */
export function FiguresTable({ by, ...window }: Props) {
  const [order, setOrder] = useFilter('sort');
  const { rows, count, start, end } = useRows(by, window);
  const sortedRows = sorted(rows, order);
  return (
    <>
      <FieldRow>
        <Select label="Sorted by" value={order} onChange={setOrder} options={ORDERS} />
      </FieldRow>
      <Panel
        title={by === 'environment' ? 'Environments' : 'Repositories'}
        note={
          <>
            {rows.length < count && `the first ${formatCount(rows.length)} of ${formatCount(count)} by name, `}
            <ComparedTimes start={start} end={window.end_ts ?? null} before={{ start: 2 * start - end, end: start }} />
          </>
        }
        flush
        actions={<Save by={by} rows={sortedRows} />}
      >
        <Table
          label="Delivery figures"
          rows={sortedRows}
          keyOf={({ name, id }) => id ?? name}
          empty={<Empty icon="deployments" title="There is none yet" />}
          columns={[
            {
              head: by === 'environment' ? 'Environment' : 'Repository',
              kind: 'main',
              cell: ({ name, id }) => (
                <NameLink to={id === null ? to.environment(name) : to.repository(name, id)}>{name}</NameLink>
              ),
            },
            {
              head: 'Deployments',
              kind: 'number',
              cell: ({ deployments, before }) => (
                <Before now={formatCount(deployments)} before={formatCount(before.deployments)} />
              ),
            },
            {
              head: 'Median lead time',
              kind: 'number',
              cell: ({ deployments, lead_time, before }) =>
                deployments === 0 ? (
                  <span className="quiet">–</span>
                ) : lead_time === null ? (
                  <Duration seconds={null} />
                ) : (
                  <Before
                    now={formatDuration(lead_time.p50)}
                    before={before.lead_time === null ? null : formatDuration(before.lead_time.p50)}
                  />
                ),
            },
            {
              head: 'Rolled back',
              kind: 'number',
              cell: ({ change_failure_rate: rate, before }) =>
                rate === null ? (
                  <span className="quiet">–</span>
                ) : (
                  <Before
                    now={formatShare(rate)}
                    before={before.change_failure_rate === null ? null : formatShare(before.change_failure_rate)}
                  />
                ),
            },
          ]}
        />
      </Panel>
    </>
  );
}

function useRows(by: By, window: Omit<Props, 'by'>) {
  const org = useOrg();
  const search = { ...window, by, time_zone: nameOf(useZone()), per_page: PER_PAGE };
  const first = useAnswer('/deployments/{org}/figures', {}, { ...search, page: 1 });
  const furtherPages = Array.from({ length: Math.max(0, Math.min(first.total_pages, PAGES_MAX) - 1) }, (_, i) => i + 2);
  const morePages = useSuspenseQueries({
    queries: furtherPages.map((page) =>
      query.queryOptions('get', '/deployments/{org}/figures', {
        params: { path: { org }, query: { ...search, page } },
      }),
    ),
  });
  return {
    rows: [first, ...morePages.map(({ data }) => data)].flatMap(({ figures }) => figures),
    count: first.total_count,
    start: first.start,
    end: first.end,
  };
}

/** A figure and its value in the previous period of equal length. */
const Before = ({ now, before }: { readonly now: string; readonly before: string | null }) => (
  <span className="pile">
    {now}
    {before !== null && <span className="small quiet">{before} before</span>}
  </span>
);

const HEADS = ['deployments', 'rollbacks', 'change_failure_rate', 'lead_time_p50', 'lead_time_p90'] as const;
const cellsOf = ({ deployments, rollbacks, change_failure_rate, lead_time }: Row['before']) => [
  deployments,
  rollbacks,
  change_failure_rate,
  lead_time?.p50,
  lead_time?.p90,
];

function Save({ by, rows }: { readonly by: By; readonly rows: readonly Row[] }) {
  const org = useOrg();
  const [isExported, setExported] = useState(false);
  const save = () => {
    const heads = [by, ...HEADS, ...HEADS.map((head) => `${head}_before`)];
    download(
      `figures-by-${by}-${org}.csv`,
      csvOf([heads, ...rows.map((row) => [row.name, ...cellsOf(row), ...cellsOf(row.before)])]),
    );
    setExported(true);
  };
  return (
    <>
      <Button icon="download" onPress={save}>
        Export CSV
      </Button>
      <span className="hidden" role="status">
        {isExported && 'Exported'}
      </span>
    </>
  );
}
