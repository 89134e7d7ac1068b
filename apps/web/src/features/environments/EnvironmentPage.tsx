import { lazy } from 'react';
import { useParams } from 'react-router';
import type { Schemas } from '../../api/client';
import { useMay } from '../../api/session';
import { useSnapshot } from '../../api/snapshots';
import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import { lastFourWeeks } from '../../api/window';
import { DeliveryCharts } from '../../parts/DeliveryCharts';
import { Badge, ButtonLink, Empty, Page, Panel, Time, useNow, Verdict } from '../../ui';
import { Tabs } from '../../ui/Tabs';
import { useZone } from '../../ui/zone';
import { AtTime } from './AtTime';
import { EnvironmentActions } from './EnvironmentActions';

// Tabs are loaded when they are opened.
const EnvironmentComponents = lazy(async () => ({
  default: (await import('./EnvironmentComponents')).EnvironmentComponents,
}));
const EnvironmentDeployments = lazy(async () => ({
  default: (await import('./EnvironmentDeployments')).EnvironmentDeployments,
}));
const EnvironmentSettings = lazy(async () => ({
  default: (await import('./EnvironmentSettings')).EnvironmentSettings,
}));
const EventsTable = lazy(async () => ({ default: (await import('./EventsTable')).EventsTable }));
const Exposure = lazy(async () => ({ default: (await import('./Exposure')).Exposure }));
const RunningTable = lazy(async () => ({ default: (await import('../../parts/RunningTable')).RunningTable }));
const SnapshotTimeline = lazy(async () => ({ default: (await import('./SnapshotTimeline')).SnapshotTimeline }));

export function EnvironmentPage() {
  const { env = '' } = useParams();
  const may = useMay();
  const environment = useAnswer('/environments/{org}/{env}', { env });
  return (
    <Page
      title={environment.name}
      kind="Environment"
      above={[{ text: 'Environments', href: to.environments }]}
      badges={
        <>
          <Verdict value={environment.state} />
          <Badge tone="none">{environment.type}</Badge>
          {environment.late_since !== null && <Badge tone="warn">Report is late</Badge>}
        </>
      }
      lead={environment.description}
      actions={
        <>
          {environment.last_changed_at !== null && <AtTime env={environment.name} />}
          <ButtonLink to={to.compare(environment.name, '')} icon="swap">
            Compare
          </ButtonLink>
          {may('record') && <EnvironmentActions environment={environment} />}
        </>
      }
    >
      <Tabs
        label="Parts of the environment"
        tabs={[
          { id: 'now', title: 'Runs now', content: <Now environment={environment} /> },
          { id: 'deployments', title: 'Deployments', content: <EnvironmentDeployments environment={environment} /> },
          { id: 'history', title: 'History', content: <History environment={environment} /> },
          { id: 'events', title: 'Events', content: <EventsTable env={environment.name} /> },
          { id: 'components', title: 'Components', content: <EnvironmentComponents env={environment.name} /> },
          { id: 'exposure', title: 'Exposure', content: <Exposure env={environment.name} /> },
          {
            id: 'rules',
            title: 'Policies and tags',
            content: <EnvironmentSettings environment={environment} />,
          },
        ]}
      />
    </Page>
  );
}

function History({ environment: { name } }: OneProps) {
  const period = lastFourWeeks(useNow(), useZone());
  return (
    <>
      <DeliveryCharts environments={[name]} period={period} />
      <SnapshotTimeline env={name} />
    </>
  );
}

interface OneProps {
  readonly environment: Schemas['Environment'];
}

function Now({ environment }: { readonly environment: Schemas['Environment'] }) {
  if (environment.last_changed_at === null) {
    return (
      <Panel title="Runs now">
        <Empty icon="environments" title="Nothing was reported yet">
          The first report of what runs here makes the first snapshot.
        </Empty>
      </Panel>
    );
  }
  return <Latest env={environment.name} reportedAt={environment.last_reported_at} />;
}

function Latest({ env, reportedAt }: { readonly env: string; readonly reportedAt: number | null }) {
  const data = useSnapshot(env, '-1', { show: 'running' });
  return (
    <Panel
      title={`Snapshot ${data.index}`}
      flush
      note={
        <>
          since <Time at={data.timestamp} />
          {reportedAt !== null && (
            <>
              {' · reported '}
              <Time at={reportedAt} />
            </>
          )}
        </>
      }
      actions={<ButtonLink to={to.snapshot(env, data.index)}>Open snapshot</ButtonLink>}
    >
      <RunningTable env={env} expr="-1" />
    </Panel>
  );
}
