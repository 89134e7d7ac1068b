import type { Schemas } from '../../api/client';
import { formatCount, formatDay } from '../../ui';
import { ChartKey, StackChart } from '../../ui/Chart';

/** Severities, worst first. */
const PARTS = [
  { name: 'critical', tone: 'worst' },
  { name: 'high', tone: 'bad' },
  { name: 'medium', tone: 'warn' },
  { name: 'low', tone: 'calm' },
  { name: 'unknown', tone: 'none' },
] as const;

/** Vulnerabilities of each day, by severity. */
export const ExposureChart = ({ days }: { readonly days: Schemas['EnvironmentExposure']['days'] }) => (
  <>
    <p className="small">
      <ChartKey entries={PARTS.map(({ name, tone }) => ({ text: name, tone }))} />
    </p>
    <StackChart
      unit="Vulnerabilities each day"
      format={formatCount}
      parts={PARTS}
      stacks={days.map((day) => ({ label: formatDay(day.start), values: PARTS.map(({ name }) => day[name]) }))}
    />
  </>
);
