import type { Schemas } from '../../api/client';
import { ArtifactName } from '../../parts/ArtifactName';
import { Empty, Hash, Table } from '../../ui';
import type { Pair } from './services-of';

type OneSideArtifact = Schemas['EnvironmentDiffArtifact'];

interface Props {
  readonly pairs: readonly Pair<OneSideArtifact>[];
  /** The compared snapshots, such as `production#3`. */
  readonly left: string;
  readonly right: string;
}

/** The versions of each service on both sides, in one row. */
export const Services = ({ pairs, left, right }: Props) => (
  <Table
    label="Other versions"
    rows={pairs}
    keyOf={({ service }) => service}
    empty={<Empty icon="check" title="No service runs in another version" />}
    columns={[
      { head: 'Service', kind: 'main', cell: ({ service }) => <bdi>{service}</bdi> },
      { head: left, cell: ({ service, first }) => <Versions service={service} all={first} /> },
      ...(left === right
        ? []
        : [
            {
              head: right,
              cell: ({ service, second }: Pair<OneSideArtifact>) => <Versions service={service} all={second} />,
            },
          ]),
    ]}
  />
);

const Versions = ({ service, all }: { readonly service: string; readonly all: readonly OneSideArtifact[] }) => (
  <span className="pile">
    {all.map(({ name, flow, fingerprint, git_commit, commit_url }) => (
      <span key={`${fingerprint} ${name}`} className="line">
        <ArtifactName
          flow={flow}
          fingerprint={fingerprint}
          name={name.slice(service.length).replace(/^:/, '') || name}
        />
        {git_commit !== '' && <Hash value={git_commit} kind="commit" href={commit_url} />}
      </span>
    ))}
  </span>
);
