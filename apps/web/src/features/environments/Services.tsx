import type { Schemas } from '../../api/client';
import { ArtifactName } from '../../parts/ArtifactName';
import { shortName } from '../../parts/short-name';
import { ShortName } from '../../parts/ShortName';
import { Hash, SafeLink, Table, Verdict } from '../../ui';

type Pair = Schemas['ComparedPair'];
type Artifact = Schemas['ComparedArtifact'];

interface Props {
  readonly pairs: readonly Pair[];
  /** The compared snapshots, such as `production#3`. */
  readonly from: string;
  readonly to: string;
}

/** The versions of each service on both sides, in one row. */
export const Services = ({ pairs, from, to }: Props) => (
  <Table
    label="Other versions"
    rows={pairs}
    keyOf={(pair) => `${keyOf(pair.from)} ${keyOf(pair.to)}`}
    columns={[
      { head: 'Service', kind: 'main', cell: ({ service }) => <ShortName name={service} /> },
      { head: from, kind: 'text', cell: (pair) => <Version service={pair.service} artifact={pair.from} /> },
      { head: to, kind: 'text', cell: (pair) => <Version service={pair.service} artifact={pair.to} /> },
      { head: 'Code', cell: ({ diff_url }) => diff_url !== null && <SafeLink href={diff_url}>Code between</SafeLink> },
    ]}
  />
);

const keyOf = (artifact: Artifact | null) => `${artifact?.fingerprint} ${artifact?.name}`;

interface VersionProps {
  readonly service: string;
  readonly artifact: Artifact | null;
}

function Version({ service, artifact }: VersionProps) {
  if (artifact === null) return null;
  const { name, flow, fingerprint, git_commit, commit_url, compliant } = artifact;
  const short = shortName(name);
  const shown =
    /^[:@]./.test(short.slice(service.length)) && short.startsWith(service) ? short.slice(service.length + 1) : short;
  return (
    <span className="pile">
      <ArtifactName flow={flow} fingerprint={fingerprint} name={name} shown={shown} />
      <Hash value={fingerprint} />
      {git_commit !== '' && <Hash value={git_commit} kind="commit" href={commit_url} />}
      <Verdict value={compliant} />
    </span>
  );
}
