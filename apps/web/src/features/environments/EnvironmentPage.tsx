import { useParams } from 'react-router';
import { query, type Schemas } from '../../api/client';
import { useSnapshot } from '../../api/snapshots';
import { useMay, useOrg } from '../../api/session';
import { to } from '../../app/paths';
import { DeliveryCharts } from '../../parts/DeliveryCharts';
import { RunningTable } from '../../parts/RunningTable';
import { Badge, ButtonLink, Empty, Guarded, Page, Panel, Time, Verdict } from '../../ui';
import { Tabs } from '../../ui/Tabs';
import { EnvironmentActions } from './EnvironmentActions';
import { EnvironmentSettings } from './EnvironmentSettings';
import { EventsTable } from './EventsTable';
import { SnapshotTimeline } from './SnapshotTimeline';

export function EnvironmentPage() {
  return (
    <Guarded page>
      <Loaded />
    </Guarded>
  );
}

function Loaded() {
  const org = useOrg();
  const { env = '' } = useParams();
  const may = useMay();
  const { data: environment } = query.useSuspenseQuery('get', '/environments/{org}/{env}', {
    params: { path: { org, env } },
  });
  return (
    <Page
      title={environment.name}
      kind="Environment"
      above={[{ text: 'Environments', href: to.environments(org) }]}
      badges={
        <>
          <Verdict value={environment.state} />
          <Badge tone="none">{environment.type}</Badge>
        </>
      }
      lead={<bdi>{environment.description}</bdi>}
      actions={
        <>
          <ButtonLink to={to.compare(org, environment.name, '')} icon="swap">
            Compare
          </ButtonLink>
          {may('record') && <EnvironmentActions org={org} environment={environment} />}
        </>
      }
    >
      <Tabs
        label="Parts of the environment"
        tabs={[
          { id: 'now', title: 'Runs now', content: <Now org={org} environment={environment} /> },
          { id: 'history', title: 'History', content: <History org={org} env={environment.name} /> },
          { id: 'events', title: 'Events', content: <EventsTable org={org} env={environment.name} /> },
          {
            id: 'rules',
            title: 'Policies and tags',
            content: <EnvironmentSettings org={org} environment={environment} />,
          },
        ]}
      />
    </Page>
  );
}

const History = ({ org, env }: { readonly org: string; readonly env: string }) => (
  <>
    <DeliveryCharts org={org} environment={env} days={56} />
    <SnapshotTimeline org={org} env={env} />
  </>
);

interface NowProps {
  readonly org: string;
  readonly environment: Schemas['Environment'];
}

function Now({ org, environment }: NowProps) {
  if (environment.last_changed_at === null) {
    return (
      <Panel title="Runs now">
        <Empty icon="environments" title="Nothing was reported yet">
          The first report of what runs here makes the first snapshot.
        </Empty>
      </Panel>
    );
  }
  return <Latest org={org} env={environment.name} reported={environment.last_reported_at} />;
}

function Latest({
  org,
  env,
  reported,
}: {
  readonly org: string;
  readonly env: string;
  readonly reported: number | null;
}) {
  const data = useSnapshot(org, env, '-1', { show: 'running' });
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
        <ButtonLink look="quiet" to={to.snapshot(org, env, data.index)}>
          Open
        </ButtonLink>
      }
    >
      <RunningTable org={org} env={env} expr="-1" />
    </Panel>
  );
}
