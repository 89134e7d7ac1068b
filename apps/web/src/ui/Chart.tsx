import { scaleBand, scaleLinear } from 'd3-scale';
import { area, line } from 'd3-shape';
import { useCallback, useId, useState, type ReactNode } from 'react';
import css from './Chart.module.css';

/** Pixels of the drawing until its place is measured. */
const UNMEASURED = 640;
/** The pixels that a label of the lower axis needs. */
const LABEL = 80;
const HEIGHT = 200;
const MARGIN = { top: 10, right: 8, bottom: 24, left: 52 };
const TICKS = 4;
/** Possible distances between the lines of a time scale in seconds: from a minute to 12 weeks. */
const STEPS = [60, 300, 900, 3600, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800, 1_209_600, 2_419_200, 7_257_600];

/** The width of the place of a drawing in pixels, and the reference that its element takes. A drawing of this width keeps the size of its texts. */
function useWidth() {
  const [width, setWidth] = useState(UNMEASURED);
  const measure = useCallback((place: Element | null) => {
    if (place === null) return undefined;
    const set = () => setWidth((before) => place.clientWidth || before);
    set();
    const observer = new ResizeObserver(set);
    observer.observe(place);
    return () => observer.disconnect();
  }, []);
  return [width, measure] as const;
}

interface Point {
  readonly label: string;
}

interface Bar extends Point {
  readonly value: number;
}

type Quantile = 'p10' | 'p25' | 'p50' | 'p75' | 'p90';

/** A point without values is a gap. */
interface Spread extends Point {
  readonly spread: Readonly<Record<Quantile, number>> | null;
}

interface Frame {
  readonly points: readonly Point[];
  /** The values of the lines, starting at 0. */
  readonly ticks: readonly number[];
  readonly format: (value: number) => string;
  /** One sentence that describes the chart, as its text alternative. */
  readonly summary: string;
  /** The text of each point. */
  readonly texts: readonly string[];
}

/** The lines for counts, at whole numbers. */
const countTicks = (max: number) =>
  scaleLinear()
    .domain([0, Math.max(max, 1)])
    .nice(TICKS)
    .ticks(TICKS)
    .filter(Number.isInteger);

/** The lines for durations, at whole minutes, hours, days or weeks. */
function timeTicks(max: number): readonly number[] {
  const step = STEPS.find((length) => max / length <= TICKS) ?? max / TICKS;
  return Array.from({ length: Math.ceil(max / step) + 1 }, (_, i) => i * step);
}

type Scales = ReturnType<typeof scalesOf>;

const scalesOf = ({ points, ticks }: Frame, width: number) => ({
  right: width - MARGIN.right,
  x: scaleBand<number>()
    .domain(points.map((_, i) => i))
    .range([MARGIN.left, width - MARGIN.right])
    .padding(0.25),
  y: scaleLinear()
    .domain([0, ticks.at(-1) || 1])
    .range([HEIGHT - MARGIN.bottom, MARGIN.top]),
});

interface AxesProps {
  readonly frame: Frame;
  /** Draws what is between the axes. */
  readonly children: (scales: Scales) => ReactNode;
}

/** The axes with their labels, and the content between them. */
function Axes({ frame, children }: AxesProps) {
  const title = useId();
  const [width, measure] = useWidth();
  const scales = scalesOf(frame, width);
  const { right, x, y } = scales;
  const labelStep = Math.ceil((frame.points.length * LABEL) / (right - MARGIN.left));
  const drawing = (
    <svg className={css.chart} viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-labelledby={title}>
      <title id={title}>{frame.summary}</title>
      {frame.ticks.map((tick) => (
        <g key={tick} transform={`translate(0 ${y(tick)})`}>
          <line className={css.grid} x1={MARGIN.left} x2={right} />
          <text className={css.label} x={MARGIN.left - 8} dy="0.32em" textAnchor="end">
            {tick === 0 ? '0' : frame.format(tick)}
          </text>
        </g>
      ))}
      {frame.points.map(
        ({ label }, i) =>
          i % labelStep === 0 && (
            <text key={i} className={css.label} x={(x(i) ?? 0) + x.bandwidth() / 2} y={HEIGHT - 6} textAnchor="middle">
              {label}
            </text>
          ),
      )}
      {children(scales)}
      {frame.points.map((_, i) => (
        // A point shows its text wherever the pointer is in its column.
        <rect
          key={i}
          className={css.column}
          x={x(i)}
          width={x.bandwidth()}
          y={MARGIN.top}
          height={HEIGHT - MARGIN.bottom - MARGIN.top}
        >
          <title>{frame.texts[i]}</title>
        </rect>
      ))}
    </svg>
  );
  return (
    <div ref={measure}>
      {drawing}
      <details className={css.values}>
        <summary>Values</summary>
        <ul>
          {frame.texts.map((text, i) => (
            <li key={i}>{text}</li>
          ))}
        </ul>
      </details>
    </div>
  );
}

const medianOf = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[half] ?? 0) : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2;
};

interface ChartProps {
  readonly unit: string;
  readonly format: (value: number) => string;
}

interface BarsProps extends ChartProps {
  readonly bars: readonly Bar[];
}

/** Counts as bars, with the median as a line. */
export function BarChart({ bars, unit, format }: BarsProps) {
  const values = bars.map(({ value }) => value);
  const median = medianOf(values);
  const max = Math.max(...values, 0);
  const summary = `${unit}: from ${format(Math.min(...values))} to ${format(max)}, median ${format(median)}`;
  const texts = bars.map(({ label, value }) => `${label}: ${format(value)}`);
  const frame = { points: bars, ticks: countTicks(max), format, summary, texts };
  return (
    <Axes frame={frame}>
      {({ right, x, y }) => (
        <>
          {bars.map(({ value }, i) => (
            <rect
              key={i}
              className={css.bar}
              x={x(i)}
              width={x.bandwidth()}
              y={y(value)}
              height={Math.max(0, y(0) - y(value))}
              rx="1.5"
            />
          ))}
          <line className={css.median} x1={MARGIN.left} x2={right} y1={y(median)} y2={y(median)} />
        </>
      )}
    </Axes>
  );
}

/** The look of a part of a stack, from alarming to calm. */
type Tone = 'worst' | 'bad' | 'warn' | 'calm' | 'none';

interface StacksProps extends ChartProps {
  /** The parts, lowest first. */
  readonly parts: readonly { readonly name: string; readonly tone: Tone }[];
  /** Each point has one value for each part. */
  readonly stacks: readonly (Point & { readonly values: readonly number[] })[];
}

const totalOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** Counts as stacked bars. */
export function StackChart({ parts, stacks, unit, format }: StacksProps) {
  const max = Math.max(...stacks.map(({ values }) => totalOf(values)), 0);
  const newest = totalOf(stacks.at(-1)?.values ?? []);
  const summary = `${unit}: at most ${format(max)}, ${format(newest)} at the end`;
  const texts = stacks.map(({ label, values }) => {
    const barLabels = parts.flatMap(({ name }, i) => (values[i] ? `${format(values[i])} ${name}` : []));
    return `${label}: ${barLabels.join(', ') || 'none'}`;
  });
  const frame = { points: stacks, ticks: countTicks(max), format, summary, texts };
  return (
    <Axes frame={frame}>
      {({ x, y }) =>
        stacks.map(({ values }, i) =>
          parts.map(({ name, tone }, at) => {
            const sumBelow = totalOf(values.slice(0, at));
            const top = y(sumBelow + (values[at] ?? 0));
            const height = Math.max(0, y(sumBelow) - top);
            return (
              <rect
                key={`${i} ${name}`}
                className={css.stack}
                data-tone={tone}
                x={x(i)}
                width={x.bandwidth()}
                y={top}
                height={height}
              />
            );
          }),
        )
      }
    </Axes>
  );
}

interface SpreadsProps extends ChartProps {
  readonly spreads: readonly Spread[];
}

/** Medians and ninth deciles as lines. Behind them, bands show where half of the values and most of the values are. */
export function SpreadChart({ spreads, unit, format }: SpreadsProps) {
  const values = spreads.flatMap(({ spread }) => spread ?? []);
  const max = Math.max(...values.map(({ p90 }) => p90), 0);
  const middles = values.map(({ p50 }) => p50);
  const summary =
    values.length === 0
      ? `${unit}: not known`
      : `${unit}: medians from ${format(Math.min(...middles))} to ${format(Math.max(...middles))}, 9 of 10 within up to ${format(max)}`;
  const texts = spreads.map(({ label, spread }) =>
    spread === null ? `${label}: none` : `${label}: median ${format(spread.p50)}, 9 of 10 within ${format(spread.p90)}`,
  );
  const frame = { points: spreads, ticks: timeTicks(max), format, summary, texts };
  return <Axes frame={frame}>{(scales) => <Spreads spreads={spreads} scales={scales} />}</Axes>;
}

function Spreads({ spreads, scales: { x, y } }: Pick<SpreadsProps, 'spreads'> & { readonly scales: Scales }) {
  // The lines connect neighbouring known points. A dot marks each point, because a point between gaps has no line.
  const points = spreads.flatMap(({ spread }, i) =>
    spread === null ? [] : [{ ...spread, at: (x(i) ?? 0) + x.bandwidth() / 2 }],
  );
  type DrawnPoint = (typeof points)[number];
  const band = (from: Quantile, until: Quantile) =>
    area<DrawnPoint>(
      ({ at }) => at,
      (item) => y(item[from]),
      (item) => y(item[until]),
    )(points) ?? undefined;
  const pathThrough = (quantile: Quantile) =>
    line<DrawnPoint>(
      ({ at }) => at,
      (item) => y(item[quantile]),
    )(points) ?? undefined;
  return (
    <>
      <path className={css.most} d={band('p10', 'p90')} />
      <path className={css.half} d={band('p25', 'p75')} />
      <path className={css.high} d={pathThrough('p90')} />
      <path className={css.middle} d={pathThrough('p50')} />
      {points.map((point) => (
        <g key={point.at}>
          <circle className={css.dot} cx={point.at} cy={y(point.p50)} r="2.5" />
          <circle className={css.dotHigh} cx={point.at} cy={y(point.p90)} r="2" />
        </g>
      ))}
    </>
  );
}

/** The look of a part of a chart, and its text. */
export type ChartKeyEntry =
  | { readonly text: string; readonly sign: 'bar' | 'line' | 'dashed' | 'band' }
  | { readonly text: string; readonly tone: 'worst' | 'bad' | 'warn' | 'calm' | 'none' };

/** The legend of a chart. */
export const ChartKey = ({ entries }: { readonly entries: readonly ChartKeyEntry[] }) => (
  <span className={css.key}>
    {entries.map(({ text, ...look }) => (
      <span
        key={text}
        data-sign={'sign' in look ? look.sign : undefined}
        data-tone={'tone' in look ? look.tone : undefined}
      >
        {text}
      </span>
    ))}
  </span>
);
