import type { Schemas } from '../../api/client';
import { useListPage } from '../../api/use-answer';
import { to } from '../../app/paths';
import { ArtifactName } from '../../parts/ArtifactName';
import {
  Badge,
  Empty,
  Hash,
  PageLink,
  Pager,
  Panel,
  SafeLink,
  Table,
  Time,
  usePageNumber,
  Verdict,
  wordsOfChange,
  type Column,
} from '../../ui';

type Event = Schemas['EnvironmentEvent'];

const PER_PAGE = 30;

/** The events of an environment: one item for each artifact that a snapshot changed. */
export function EventsTable({ env }: { readonly env: string }) {
  const page = usePageNumber();
  const [events, more] = useListPage('/environments/{org}/{env}/events', { env }, { page, per_page: PER_PAGE });
  return (
    <Panel title="Events" flush>
      <Table
        label="Events"
        rows={events}
        columns={COLUMNS}
        keyOf={({ snapshot_index, sha256, type, artifact_name }) =>
          `${snapshot_index} ${sha256} ${type} ${artifact_name}`
        }
        empty={<Empty icon="clock" title="Nothing happened yet" />}
      />
      <Pager page={page} pages={{ more }} />
    </Panel>
  );
}

const COLUMNS: readonly Column<Event>[] = [
  { head: 'When', cell: ({ reported_at }) => <Time at={reported_at} /> },
  { head: 'What', cell: ({ type }) => <Badge tone="none">{wordsOfChange(type)}</Badge> },
  {
    head: 'Artifact',
    kind: 'main',
    cell: ({ artifact_name, sha256, flows }) => (
      <span className="pile">
        <ArtifactName flow={flows[0]?.flow_name} fingerprint={sha256} name={artifact_name} />
        <Hash value={sha256} />
      </span>
    ),
  },
  { head: 'Description', kind: 'wide', cell: ({ description }) => <bdi>{description}</bdi> },
  { head: 'Verdict', cell: ({ artifact_compliance }) => <Verdict value={artifact_compliance} /> },
  {
    head: 'Snapshot',
    cell: ({ environment_name, snapshot_index, code_diff }) => (
      <span className="pile">
        <PageLink to={to.snapshot(environment_name, snapshot_index)}>Snapshot {snapshot_index}</PageLink>
        {code_diff !== null && <SafeLink href={code_diff}>Code</SafeLink>}
      </span>
    ),
  },
];
