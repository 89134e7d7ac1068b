import { Link } from 'react-router';
import { query, type Schemas } from '../../api/client';
import { to } from '../../app/paths';
import { ArtifactName } from '../../parts/ArtifactName';
import {
  Badge,
  Empty,
  Hash,
  Pager,
  Panel,
  SafeLink,
  Table,
  Time,
  usePageNumber,
  Verdict,
  wordsOf,
  type Column,
} from '../../ui';

type Event = Schemas['EnvironmentEvent'];

const PER_PAGE = 30;

/** The events of an environment: one item for each artifact that a snapshot changed. */
export function EventsTable({ org, env }: { readonly org: string; readonly env: string }) {
  const page = usePageNumber();
  const { data: events } = query.useSuspenseQuery('get', '/environments/{org}/{env}/events', {
    params: { path: { org, env }, query: { page, per_page: PER_PAGE } },
  });
  return (
    <Panel title="Events" flush>
      <Table
        label="Events"
        rows={events}
        columns={columnsFor(org)}
        keyOf={({ snapshot_index, sha256, type, artifact_name }) =>
          `${snapshot_index} ${sha256} ${type} ${artifact_name}`
        }
        empty={<Empty icon="clock" title="Nothing happened yet" />}
      />
      <Pager page={page} pages={{ more: events.length === PER_PAGE }} />
    </Panel>
  );
}

const columnsFor = (org: string): readonly Column<Event>[] => [
  { head: 'When', cell: ({ reported_at }) => <Time at={reported_at} /> },
  { head: 'What', cell: ({ type }) => <Badge tone="none">{wordsOf(type.replaceAll('-', ' '))}</Badge> },
  {
    head: 'Artifact',
    kind: 'main',
    cell: ({ artifact_name, sha256, flows }) => (
      <span className="stack" style={{ gap: '0.1rem', justifyItems: 'start' }}>
        <ArtifactName org={org} flow={flows[0]?.flow_name} fingerprint={sha256} name={artifact_name} />
        <Hash value={sha256} />
      </span>
    ),
  },
  { head: 'Description', kind: 'wide', cell: ({ description }) => <bdi>{description}</bdi> },
  { head: 'Verdict', cell: ({ artifact_compliance }) => <Verdict value={artifact_compliance} /> },
  {
    head: 'Snapshot',
    cell: ({ environment_name, snapshot_index, code_diff }) => (
      <span className="line">
        <Link to={to.snapshot(org, environment_name, snapshot_index)}>Snapshot {snapshot_index}</Link>
        {code_diff !== null && <SafeLink href={code_diff}>Code</SafeLink>}
      </span>
    ),
  },
];
