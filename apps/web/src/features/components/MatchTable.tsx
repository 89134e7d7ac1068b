import type { Schemas } from '../../api/client';
import { to } from '../../app/paths';
import { ArtifactName } from '../../parts/ArtifactName';
import { ComponentName } from '../../parts/components/ComponentName';
import css from '../../parts/parts.module.css';
import { Badge, Empty, formatCount, Hash, NameLink, PageLink, Panel, Table, Time } from '../../ui';

type Artifact = Schemas['ArtifactWithComponent'];
type Place = Artifact['environments'][number];

interface Props {
  readonly artifacts: readonly Artifact[];
  /** Whether every artifact has an SBOM that is recorded whole, with versions that can be compared. */
  readonly isJudged: boolean;
}

/** Artifacts with the component: from which commit each was built, and where it runs and ran. */
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

/** How many environments of an artifact are shown at once. */
const SHOWN = 5;

function Places({ artifact: { environments, environment_count: count } }: { readonly artifact: Artifact }) {
  if (count === 0) return <span className="quiet">nowhere, as far as reports say</span>;
  const more = environments.slice(SHOWN);
  return (
    <ul className={css.causes}>
      {environments.slice(0, SHOWN).map((place) => (
        <PlaceItem key={place.environment} place={place} />
      ))}
      {more.length > 0 && (
        <li>
          <details className={css.more}>
            <summary>{formatCount(count - SHOWN)} more environments</summary>
            <ul className={css.causes}>
              {more.map((place) => (
                <PlaceItem key={place.environment} place={place} />
              ))}
            </ul>
            {count > environments.length && <p className="quiet">The first {environments.length} are shown.</p>}
          </details>
        </li>
      )}
    </ul>
  );
}

const PlaceItem = ({ place }: { readonly place: Place }) => (
  <li>
    <span className="line" style={{ flexBasis: '100%' }}>
      <NameLink to={to.environment(place.environment)}>{place.environment}</NameLink>
      {place.running && <Badge tone="none">Runs now</Badge>}
    </span>
    <span>
      since <Time at={place.first_seen} />,{' '}
      <PageLink to={to.snapshot(place.environment, place.first_snapshot)}>snapshot {place.first_snapshot}</PageLink>
    </span>
    {!place.running && (
      <span>
        gone <Time at={place.last_seen} none="at an unknown time" />
        {place.last_snapshot !== null && (
          <>
            ,{' '}
            <PageLink to={to.snapshot(place.environment, place.last_snapshot)}>snapshot {place.last_snapshot}</PageLink>
          </>
        )}
      </span>
    )}
  </li>
);

interface NotComparableProps {
  readonly answer: Schemas['ComponentSearch']['not_comparable'];
}

/** Components whose version is no version of their ecosystem: each can be asked for by itself. */
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
