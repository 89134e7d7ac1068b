import type { Schemas } from '../../api/client';
import { to } from '../../app/paths';
import { ArtifactName } from '../../parts/ArtifactName';
import { ComponentName } from '../../parts/components/ComponentName';
import { Places } from '../../parts/components/Places';
import { Empty, formatCount, Hash, NameLink, Panel, Table } from '../../ui';

type Artifact = Schemas['ArtifactWithComponent'];

interface Props {
  readonly artifacts: readonly Artifact[];
  /** Whether every artifact has a completely recorded SBOM with versions that can be compared. */
  readonly isJudged: boolean;
}

/** Artifacts with the component, with their commits and the environments in which they run and ran. */
export const MatchTable = ({ artifacts, isJudged }: Props) => (
  <Table
    label="Artifacts with it"
    rows={artifacts}
    keyOf={({ fingerprint, component: { purl, name, version } }) => `${fingerprint} ${purl} ${name} ${version}`}
    empty={
      <Empty icon="search" title="Found in no SBOM">
        {isJudged
          ? 'Each of these artifacts has an SBOM, and none that fits lists it.'
          : 'That is no all-clear: see above what nobody knows.'}
      </Empty>
    }
    columns={[
      { head: 'Component', kind: 'main', cell: ({ component }) => <ComponentName component={component} /> },
      {
        head: 'Artifact',
        cell: ({ flow, fingerprint, artifact_name: name }) => (
          <span className="pile">
            <ArtifactName flow={flow} fingerprint={fingerprint} name={name || 'no name'} />
            <Hash value={fingerprint} />
          </span>
        ),
      },
      {
        head: 'Built from',
        cell: ({ repository, git_commit }) => (
          <span className="pile">
            {repository !== null && <NameLink to={to.repository(repository)}>{repository}</NameLink>}
            <Hash value={git_commit ?? ''} kind="commit" />
          </span>
        ),
      },
      { head: 'Where it runs and ran', kind: 'wide', cell: (artifact) => <Places artifact={artifact} /> },
    ]}
  />
);

interface NotComparableProps {
  readonly answer: Schemas['ComponentSearch']['not_comparable'];
}

/** Components with a version that does not follow the rules of their ecosystem. Each can be requested separately. */
export const NotComparable = ({ answer: { total_count, components } }: NotComparableProps) => (
  <Panel
    title="Cannot be compared with the range"
    note={total_count > components.length ? `the first ${components.length} of ${formatCount(total_count)}` : undefined}
    flush
  >
    <Table
      label="Cannot be compared"
      rows={components}
      keyOf={({ purl, name, version }) => `${purl} ${name} ${version}`}
      columns={[
        { head: 'Component', kind: 'main', cell: (component) => <ComponentName component={component} /> },
        { head: 'Version', kind: 'text', cell: ({ version }) => <bdi>{version ?? 'none'}</bdi> },
      ]}
    />
  </Panel>
);
