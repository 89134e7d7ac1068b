import type { ReactNode } from 'react';
import type { Schemas } from '../api/client';
import { to } from '../app/paths';
import {
  Badge,
  BreakableName,
  Duration,
  Hash,
  NameLink,
  PageLink,
  SafeLink,
  Table,
  Time,
  Verdict,
  type Column,
} from '../ui';
import { DeployedName } from './ArtifactName';
import { CommitLine } from './CommitLine';
import { changeOf } from './change';
import { ShortName } from './ShortName';
import { shortName } from './short-name';
import css from './parts.module.css';

type Deployment = Schemas['DetailedDeployment'];

interface Props {
  readonly deployments: readonly Deployment[];
  readonly empty: ReactNode;
  /** Whether all deployments belong to one environment. Its name is then not repeated. */
  readonly ofOne?: boolean;
}

/** A table of deployments: the new and the replaced artifact, where, when, from which commit, and whether it complies. */
export const DeploymentTable = ({ deployments, empty, ofOne = false }: Props) => (
  <Table
    label="Deployments"
    rows={deployments}
    keyOf={({ env_name, snapshot_index, fingerprint }) => `${env_name} ${snapshot_index} ${fingerprint}`}
    empty={empty}
    columns={ofOne ? COLUMNS.map((column) => (column.head === 'Environment' ? SNAPSHOT : column)) : COLUMNS}
  />
);

const COLUMNS: readonly Column<Deployment>[] = [
  { head: 'Artifact', kind: 'main', cell: (row) => <Change deployment={row} /> },
  { head: 'Environment', kind: 'text', cell: (row) => <Place deployment={row} /> },
  { head: 'Deployed', cell: ({ deployed_at }) => <Time at={deployed_at} /> },
  { head: 'Verdict', cell: ({ compliance }) => <Verdict value={compliance} /> },
  { head: 'Commit', kind: 'text', cell: (row) => <Code deployment={row} /> },
  { head: 'Lead time', kind: 'number', cell: ({ lead_time }) => <Duration seconds={lead_time} /> },
];

const SNAPSHOT: Column<Deployment> = { head: 'Snapshot', cell: (row) => <SnapshotLinks deployment={row} /> };

interface OneProps {
  readonly deployment: Deployment;
}

/** The marks of kinds. An artifact that is new to an environment needs no mark. */
const MARKS: Readonly<Record<Deployment['kind'], readonly ['warn' | 'none', string] | null>> = {
  baseline: ['none', 'Ran before reports began'],
  first: null,
  restart: ['none', 'Restart'],
  rollback: ['warn', 'Rollback'],
  redeployment: ['none', 'Deployed again'],
};

function Change({ deployment }: OneProps) {
  const { artifact_name, fingerprint, kind, replaced_artifact: replaced } = deployment;
  const name = shortName(artifact_name ?? 'unnamed');
  const replacedName = replaced?.artifact_name ?? 'unnamed';
  const { same, before } = changeOf(name, replaced === null ? null : shortName(replacedName));
  const mark = MARKS[kind];
  return (
    <span className={css.name}>
      <span className={css.change}>
        {same !== '' && <BreakableName>{same}</BreakableName>}
        {replaced !== null && (
          <>
            <ShortName className="quiet" name={replacedName} shown={before ?? undefined} />
            <span aria-hidden="true">→</span>
            <span className="hidden">replaced by</span>
          </>
        )}
        <DeployedName deployment={deployment} shown={name.slice(same.length)} />
      </span>
      <span className="line">
        <Hash value={fingerprint} />
        {mark !== null && <Badge tone={mark[0]}>{mark[1]}</Badge>}
      </span>
    </span>
  );
}

/** The environment and its snapshot, and what else that snapshot changed. */
const Place = ({ deployment }: OneProps) => (
  <span className="pile">
    {deployment.env_name !== null && (
      <NameLink to={to.environment(deployment.env_name)}>{deployment.env_name}</NameLink>
    )}
    <SnapshotLinks deployment={deployment} />
  </span>
);

function SnapshotLinks({ deployment: { env_name: env, snapshot_index: index } }: OneProps) {
  if (env === null || index === null) return <span className="quiet">unknown</span>;
  return (
    <span className="line small">
      <PageLink to={to.snapshot(env, index)}>Snapshot {index}</PageLink>
      {index > 1 && <PageLink to={to.compare(`${env}#${index - 1}`, `${env}#${index}`)}>Difference</PageLink>}
    </span>
  );
}

function Code({ deployment: { commit, diff_url } }: OneProps) {
  return (
    <span className="pile">
      {commit === null ? (
        <span className="quiet">unknown</span>
      ) : (
        <CommitLine sha={commit.sha1} url={commit.url} message={commit.message} author={commit.author} />
      )}
      {diff_url !== null && (
        <span className="small">
          <SafeLink href={diff_url}>Code between</SafeLink>
        </span>
      )}
    </span>
  );
}
