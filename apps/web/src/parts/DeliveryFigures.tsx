import type { Schemas } from '../api/client';
import { useAnswer } from '../api/use-answer';
import { metricsQuery } from '../api/metrics';
import { type Period, periodBefore } from '../api/window';
import {
  Duration,
  Empty,
  Figures,
  formatCount,
  formatDay,
  formatDuration,
  formatShare,
  Panel,
  Table,
  useNow,
} from '../ui';
import { useZone } from '../ui/zone';
import { BarChart, ChartKey, SpreadChart } from '../ui/Chart';
import { ComparedTimes } from './ComparedTimes';
import css from './DeliveryFigures.module.css';

export interface Props {
  readonly environments?: readonly string[] | undefined;
  readonly repository?: string;
  readonly period: Period;
}

type Metrics = Schemas['DeploymentMetrics'];

/** Figures and charts, and the same data as a table. */
export function DeliveryFigures({ period, ...scope }: Props) {
  const zone = useZone();
  const now = useNow();
  const data = useAnswer('/deployments/{org}/metrics', {}, metricsQuery(period, zone, scope));
  const earlier = periodBefore(period, now, zone);
  const before = useAnswer('/deployments/{org}/metrics', {}, metricsQuery(earlier, zone, scope));
  return (
    <>
      <p className={css.period}>
        {period.name !== undefined && `${period.name}, `}
        <ComparedTimes {...period} before={earlier} />
      </p>
      <Totals totals={data.totals} before={before.totals} />
      <div className="columns">
        <Panel
          title="Deployment frequency"
          note={
            <ChartKey
              entries={[
                { sign: 'bar', text: `each ${data.bucket}` },
                { sign: 'dashed', text: 'median' },
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
            <ChartKey
              entries={[
                { sign: 'line', text: 'median' },
                { sign: 'dashed', text: '9 of 10 within' },
                { sign: 'band', text: 'middle half, and 8 of 10' },
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

interface TotalsProps {
  readonly totals: Metrics['totals'];
  /** The totals of the previous period of equal length. */
  readonly before: Metrics['totals'];
}

const Totals = ({ totals, before }: TotalsProps) => (
  <Figures
    figures={[
      ['deployments', <Figure now={totals.deployments} before={before.deployments} write={formatCount} />],
      ['median lead time', spreadChange(totals.lead_time?.p50, before.lead_time?.p50)],
      ['lead time, 9 of 10 within', spreadChange(totals.lead_time?.p90, before.lead_time?.p90)],
      [
        `rolled back, ${formatCount(totals.rollbacks)} of ${formatCount(totals.deployments)}`,
        totals.deployments > 0 && <Figure now={failures(totals)} before={failures(before)} write={formatShare} />,
      ],
      ['median time to comply again', spreadChange(totals.recovery_time?.p50, before.recovery_time?.p50)],
    ]}
  />
);

/** The share of deployments that were rollbacks. It measures how often a change failed. */
const failures = ({ deployments, rollbacks }: Metrics['totals']): number | undefined =>
  deployments === 0 ? undefined : rollbacks / deployments;

const spreadChange = (now: number | undefined, before: number | undefined) =>
  now !== undefined && <Figure now={now} before={before} write={formatDuration} />;

interface FigureProps {
  readonly now: number | undefined;
  readonly before: number | undefined;
  readonly write: (value: number) => string;
}

/** A figure and, if it is known, its value in the previous period of equal length. */
const Figure = ({ now, before, write }: FigureProps) => (
  <>
    {now === undefined ? 'unknown' : write(now)}
    {before !== undefined && <span className={css.before}>{write(before)} before</span>}
  </>
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

/** The same figures as a table, for readers who cannot see the charts or want to copy the figures. */
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
        { head: 'Median lead time', kind: 'number', cell: ({ lead_time }) => <Duration seconds={lead_time?.p50} /> },
        {
          head: 'Lead time, 9 of 10 within',
          kind: 'number',
          cell: ({ lead_time }) => <Duration seconds={lead_time?.p90} />,
        },
      ]}
    />
  </details>
);
