import type { Schemas } from '../api/client';
import { useAnswer } from '../api/use-answer';
import { daysAgo } from '../api/window';
import { Duration, Empty, Figures, formatCount, formatDay, formatDuration, Panel, Table } from '../ui';
import { BarChart, SpreadChart } from '../ui/Chart';
import css from './DeliveryFigures.module.css';

export interface Props {
  readonly environment?: string;
  readonly repository?: string;
  readonly days: number;
}

type Metrics = Schemas['DeploymentMetrics'];

/** Up to so many days are shown by days, more of them by weeks. */
const BY_DAYS = 14;

/** Figures, charts, and the same as a table. */
export function DeliveryFigures({ environment, repository, days }: Props) {
  const data = useAnswer(
    '/deployments/{org}/metrics',
    {},
    {
      start_ts: daysAgo(days),
      bucket: days > BY_DAYS ? 'week' : 'day',
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      env_name: environment ? [environment] : undefined,
      repo_name: repository || undefined,
    },
  );
  return (
    <>
      <Totals totals={data.totals} />
      <div className="columns">
        <Panel
          title="Deployment frequency"
          note={
            <Key
              entries={[
                ['bar', `each ${data.bucket}`],
                ['dashed', 'median'],
              ]}
            />
          }
        >
          <BarChart
            unit={`Deployments each ${data.bucket}`}
            format={formatCount}
            bars={data.buckets.map(({ start, deployments }) => ({ label: formatDay(start), value: deployments }))}
          />
        </Panel>
        <Panel
          title="Lead time"
          note={
            <Key
              entries={[
                ['line', 'p50'],
                ['dashed', 'p90'],
                ['band', 'p10–p90, p25–p75'],
              ]}
            />
          }
        >
          <LeadTimes metrics={data} />
        </Panel>
      </div>
      <AsTable metrics={data} />
    </>
  );
}

const Totals = ({ totals }: { readonly totals: Metrics['totals'] }) => (
  <Figures
    figures={[
      ['deployments', formatCount(totals.deployments)],
      ['lead time, half within', totals.lead_time && <Duration seconds={totals.lead_time.p50} />],
      ['lead time, 9 of 10 within', totals.lead_time && <Duration seconds={totals.lead_time.p90} />],
      ['rollbacks', formatCount(totals.rollbacks)],
      ['to comply again, half within', totals.recovery_time && <Duration seconds={totals.recovery_time.p50} />],
    ]}
  />
);

function LeadTimes({ metrics: { buckets, totals } }: { readonly metrics: Metrics }) {
  if (totals.lead_time === null)
    return (
      <Empty icon="clock" title="No lead time is known">
        Reports that name a commit with its time tell it.
      </Empty>
    );
  return (
    <SpreadChart
      unit="Lead time"
      format={formatDuration}
      spreads={buckets.map(({ start, lead_time }) => ({ label: formatDay(start), spread: lead_time }))}
    />
  );
}

/** The legend of a chart. */
const Key = ({
  entries,
}: {
  readonly entries: readonly (readonly [sign: 'bar' | 'line' | 'dashed' | 'band', text: string])[];
}) => (
  <span className={css.key}>
    {entries.map(([sign, text]) => (
      <span key={text} data-sign={sign}>
        {text}
      </span>
    ))}
  </span>
);

/** The same figures for whoever cannot see the charts, or wants to copy them. */
const AsTable = ({ metrics: { buckets } }: { readonly metrics: Metrics }) => (
  <details>
    <summary className="small quiet">The figures as a table</summary>
    <Table
      label="Delivery figures"
      rows={buckets}
      keyOf={({ date }) => date}
      columns={[
        { head: 'From', kind: 'main', cell: ({ date }) => date },
        { head: 'Deployments', kind: 'number', cell: ({ deployments }) => formatCount(deployments) },
        { head: 'Rollbacks', kind: 'number', cell: ({ rollbacks }) => formatCount(rollbacks) },
        { head: 'Lead time p50', kind: 'number', cell: ({ lead_time }) => <Duration seconds={lead_time?.p50} /> },
        { head: 'Lead time p90', kind: 'number', cell: ({ lead_time }) => <Duration seconds={lead_time?.p90} /> },
      ]}
    />
  </details>
);
