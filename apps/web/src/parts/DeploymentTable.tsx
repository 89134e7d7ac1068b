import type { ReactNode } from 'react';
import type { Schemas } from '../api/client';
import { to } from '../app/paths';
import { Duration, Hash, NameLink, PageLink, Table, Time } from '../ui';
import { DeployedName } from './ArtifactName';

type Deployment = Schemas['OrganizationDeployment'];

interface Props {
  readonly deployments: readonly Deployment[];
  readonly empty: ReactNode;
}

/** Deployments of an organization, as its list answers. */
export const DeploymentTable = ({ deployments, empty }: Props) => (
  <Table
    label="Deployments"
    rows={deployments}
    keyOf={({ env_name, snapshot_index, fingerprint }) => `${env_name} ${snapshot_index} ${fingerprint}`}
    empty={empty}
    columns={[
      { head: 'Artifact', kind: 'main', cell: (row) => <DeployedName deployment={row} /> },
      { head: 'Fingerprint', cell: ({ fingerprint }) => <Hash value={fingerprint} /> },
      {
        head: 'Environment',
        cell: ({ env_name: name }) =>
          name === null ? (
            <span className="quiet">unknown</span>
          ) : (
            <NameLink to={to.environment(name)}>{name}</NameLink>
          ),
      },
      { head: 'Deployed', cell: ({ deployed_at }) => <Time at={deployed_at} /> },
      { head: 'Lead time', kind: 'number', cell: ({ lead_time }) => <Duration seconds={lead_time} /> },
      { head: 'Snapshot', cell: (row) => <SnapshotLinks deployment={row} /> },
    ]}
  />
);

function SnapshotLinks({ deployment: { env_name: env, snapshot_index: index } }: { readonly deployment: Deployment }) {
  if (env === null || index === null) return null;
  return (
    <span className="line">
      <PageLink to={to.snapshot(env, index)}>{index}</PageLink>
      {index > 1 && (
        <PageLink className="small" to={to.compare(`${env}#${index - 1}`, `${env}#${index}`)}>
          Difference
        </PageLink>
      )}
    </span>
  );
}
