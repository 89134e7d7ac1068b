import type { Schemas } from '../api/client';
import { Empty, Hash, PageLink, Pager, Panel, Table, Time, Verdict } from '../ui';
import { ShortName } from './ShortName';

type Artifact = Schemas['ArtifactListItem'];

interface ArtifactListProps {
  readonly title: string;
  /** The text if there are no artifacts. */
  readonly none: string;
  /** One page of the artifacts. */
  readonly artifacts: readonly Artifact[];
  readonly page: number;
  readonly more: boolean;
  readonly hrefOf: (artifact: Artifact) => string;
}

/** A list of reported artifacts with pages. */
export const ArtifactList = ({ title, none, artifacts, page, more, hrefOf }: ArtifactListProps) => (
  <Panel title={title} flush>
    <Table
      label={title}
      rows={artifacts}
      keyOf={({ fingerprint, created_at }) => `${fingerprint} ${created_at}`}
      empty={<Empty icon="types" title={none} />}
      columns={[
        {
          head: 'Artifact',
          kind: 'main',
          cell: (artifact) => (
            <PageLink to={hrefOf(artifact)}>
              <ShortName name={artifact.filename} />
            </PageLink>
          ),
        },
        { head: 'Fingerprint', cell: ({ fingerprint }) => <Hash value={fingerprint} /> },
        { head: 'State', cell: ({ state }) => <Verdict value={state} /> },
        { head: 'Commit', cell: ({ git_commit }) => <Hash value={git_commit} kind="commit" /> },
        { head: 'Reported', cell: ({ created_at }) => <Time at={created_at} /> },
      ]}
    />
    <Pager page={page} pages={{ more }} />
  </Panel>
);
