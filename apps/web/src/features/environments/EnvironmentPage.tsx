import { useParams } from 'react-router';
import type { Schemas } from '../../api/client';
import { useMay } from '../../api/session';
import { useSnapshot } from '../../api/snapshots';
import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import { lastBuckets } from '../../api/window';
import { DeliveryCharts } from '../../parts/DeliveryCharts';
import { DeploymentTable } from '../../parts/DeploymentTable';
import { RunningTable } from '../../parts/RunningTable';
import { Badge, ButtonLink, Empty, Page, Pager, Panel, Time, useNow, usePageNumber, Verdict } from '../../ui';
import { Tabs } from '../../ui/Tabs';
import { useZone } from '../../ui/zone';
import { AtTime } from './AtTime';
import { EnvironmentActions } from './EnvironmentActions';
import { EnvironmentSettings } from './EnvironmentSettings';
import { EventsTable } from './EventsTable';
import { SnapshotTimeline } from './SnapshotTimeline';

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
        </>
      }
      lead={<bdi>{environment.description}</bdi>}
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
          { id: 'deployments', title: 'Deployments', content: <Deployments environment={environment} /> },
          { id: 'history', title: 'History', content: <History environment={environment} /> },
          { id: 'events', title: 'Events', content: <EventsTable env={environment.name} /> },
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

const WEEKS = 8;

function History({ environment: { name, included_environments: members } }: OneProps) {
  const period = lastBuckets(useNow(), useZone(), 'week', WEEKS);
  return (
    <>
      <DeliveryCharts environments={members ?? [name]} period={period} />
      <SnapshotTimeline env={name} />
    </>
  );
}

interface OneProps {
  readonly environment: Schemas['Environment'];
}

const PER_PAGE = 25;

/** What came to the environment, newest first: what to look at when something broke, and what to go back to. */
function Deployments({ environment: { name, included_environments: members } }: OneProps) {
  const page = usePageNumber();
  const data = useAnswer(
    '/deployments/{org}/detailed',
    {},
    { page, per_page: PER_PAGE, start_ts: 0, env_name: [...(members ?? [name])] },
  );
  return (
    <Panel title="Deployments" flush>
      <DeploymentTable
        deployments={data.deployments}
        empty={<Empty icon="deployments" title="Nothing was deployed yet" />}
        {...(members === undefined ? { without: 'Environment' } : {})}
      />
      <Pager page={page} pages={data.total_pages} total={data.total_count} />
    </Panel>
  );
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
  return <Latest env={environment.name} reported={environment.last_reported_at} />;
}

function Latest({ env, reported }: { readonly env: string; readonly reported: number | null }) {
  const data = useSnapshot(env, '-1', { show: 'running' });
  return (
    <Panel
      title={`Snapshot ${data.index}`}
      flush
      note={
        <>
          since <Time at={data.timestamp} /> · reported <Time at={reported} />
        </>
      }
      actions={
        <ButtonLink look="quiet" to={to.snapshot(env, data.index)}>
          Open
        </ButtonLink>
      }
    >
      <RunningTable env={env} expr="-1" />
    </Panel>
  );
}
