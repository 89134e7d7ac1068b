import type { Schemas } from '../../api/client';
import { Time, wordsOf } from '../../ui';

/** A statement about an artifact and the vulnerability. */
export function Statement({ vex }: { readonly vex: Schemas['VulnerableArtifact']['vex'] }) {
  if (vex === null) return <span className="quiet">no statement</span>;
  return (
    <span className="pile">
      {wordsOf(vex.status)}
      {vex.justification !== null && <bdi className="small quiet">{wordsOf(vex.justification)}</bdi>}
      <span className="small quiet">
        by <bdi>{vex.by ?? 'nobody named'}</bdi>, <Time at={vex.at} none="at an unknown time" />
      </span>
    </span>
  );
}
