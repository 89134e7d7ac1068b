import type { Schemas } from '../../api/client';
import { ComponentName } from '../../parts/components/ComponentName';
import { Badge } from '../../ui';

type AffectedArtifact = Pick<Schemas['VulnerableArtifact'], 'component' | 'certain' | 'fixed_in'>;

/** A component that may have a vulnerability, whether that is certain, and the versions in which it is fixed. */
export const AffectedComponent = ({ component, certain, fixed_in }: AffectedArtifact) => (
  <span className="pile">
    <ComponentName component={component} />
    {!certain && <Badge tone="warn">Not certain: its version cannot be compared</Badge>}
    {fixed_in.length > 0 && <span className="small quiet">fixed in {fixed_in.join(', ')}</span>}
  </span>
);
