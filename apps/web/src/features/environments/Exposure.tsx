import { lazy } from 'react';
import type { Schemas } from '../../api/client';
import { useAnswer } from '../../api/use-answer';
import { lastBuckets, nameOf } from '../../api/window';
import { to } from '../../app/paths';
import { UnknownVulnerabilities } from '../../parts/components/UnknownVulnerabilities';
import { ButtonLink, Figures, formatCount, Panel, Table, useNow } from '../../ui';
import { FieldRow, Select } from '../../ui/Fields';
import { Later } from '../../ui/Later';
import { useFilter } from '../../ui/use-filter';
import { useZone } from '../../ui/zone';

/** The numbers of days for which the exposure can be shown. */
const DAYS = [
  ['', '30 days'],
  ['90', '90 days'],
  ['365', '365 days'],
] as const;

const SEVERITIES = ['critical', 'high', 'medium', 'low', 'none', 'unknown'] as const;

const ExposureChart = lazy(async () => ({ default: (await import('./ExposureChart')).ExposureChart }));

type Counts = Schemas['EnvironmentExposure']['now'];

/** How many known vulnerabilities the environment has now, and had on each day. */
export function Exposure({ env }: { readonly env: string }) {
  const zone = useZone();
  const [daysText, choose] = useFilter('days');
  const days = DAYS.find(([value]) => value === daysText)?.[0] || '30';
  const { start } = lastBuckets(useNow(), zone, 'day', Number(days) - 1);
  const data = useAnswer(
    '/vulnerabilities/{org}/exposure/{env}',
    { env },
    { start_ts: start, time_zone: nameOf(zone) },
  );
  return (
    <div className="stack">
      <UnknownVulnerabilities answer={{ ...data.now, last_import: data.last_import }} scope="of what runs here now" />
      <Figures figures={SEVERITIES.map((name) => [`${name}, now`, formatCount(data.now[name])])} />
      <FieldRow>
        <Select label="Time" value={daysText} onChange={choose} options={DAYS} />
      </FieldRow>
      <Panel
        title="Exposure by day"
        note="vulnerabilities of what ran on the day, by what is known now"
        actions={<ButtonLink to={`${to.vulnerabilities}?env=${encodeURIComponent(env)}`}>Vulnerabilities</ButtonLink>}
      >
        <Later lines={6}>
          <ExposureChart days={data.days} />
        </Later>
      </Panel>
      <AsTable days={data.days} />
    </div>
  );
}

const count = (name: keyof Counts) => (counts: Counts) => formatCount(counts[name]);

/** The same data as a table, for readers who cannot see the chart, and how many artifacts cannot be judged. */
const AsTable = ({ days }: { readonly days: Schemas['EnvironmentExposure']['days'] }) => (
  <details>
    <summary className="small quiet">The figures as a table</summary>
    <Table
      label="Exposure by day"
      rows={days.toReversed()}
      keyOf={({ date }) => date}
      columns={[
        { head: 'Day', kind: 'main', cell: ({ date }) => date },
        { head: 'Critical', kind: 'number', cell: count('critical') },
        { head: 'High', kind: 'number', cell: count('high') },
        { head: 'Medium', kind: 'number', cell: count('medium') },
        { head: 'Low', kind: 'number', cell: count('low') },
        { head: 'None', kind: 'number', cell: count('none') },
        { head: 'Unknown', kind: 'number', cell: count('unknown') },
        { head: 'Artifacts without an SBOM', kind: 'number', cell: count('without_sbom') },
        { head: 'With an incomplete SBOM', kind: 'number', cell: count('incomplete_sbom') },
        { head: 'Components that are not compared', kind: 'number', cell: count('unmatched_components') },
      ]}
    />
  </details>
);
