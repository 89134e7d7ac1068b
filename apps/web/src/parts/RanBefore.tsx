import type { Schemas } from '../api/client';
import { to } from '../app/paths';
import { PageLink, SafeLink, Verdict } from '../ui';
import { ArtifactName } from './ArtifactName';
import { earlierName } from './change';
import { shortName } from './short-name';

interface Props {
  readonly env: string;
  readonly artifact: Pick<Schemas['SnapshotArtifact'], 'name' | 'flow_name' | 'deployment_diff'>;
}

/** The artifact that ran before in the same place, as a version to return to, and whether its own attestations complied then. */
export function RanBefore({ env, artifact: { name, flow_name, deployment_diff: diff } }: Props) {
  if (diff === null) {
    return flow_name === null ? (
      <PageLink className="small" to={`${to.environment(env)}?tab=deployments`}>
        see deployments
      </PageLink>
    ) : (
      <span className="quiet">nothing</span>
    );
  }
  const { previous_artifact_name: earlier, previous_fingerprint, previous_artifact_compliance_state: state } = diff;
  return (
    <span className="pile">
      <ArtifactName
        flow={flow_name}
        fingerprint={previous_fingerprint}
        name={earlier}
        shown={earlierName(shortName(name), shortName(earlier))}
      />
      {state !== null && (
        <span className="line">
          <Verdict value={state as 'COMPLIANT' | 'NON-COMPLIANT' | 'INCOMPLETE'} />
          <span className="small quiet">by its attestations</span>
        </span>
      )}
      {diff.previous_running && <span className="small quiet">runs too</span>}
      {diff.diff_url !== null && (
        <span className="small" style={{ whiteSpace: 'nowrap' }}>
          <SafeLink href={diff.diff_url}>Code between</SafeLink>
        </span>
      )}
    </span>
  );
}
