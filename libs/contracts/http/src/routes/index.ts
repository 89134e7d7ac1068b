import { identified } from '../route';
import { artifactRoutes } from './artifacts';
import { attestRoutes } from './attest';
import { attestationRoutes } from './attestations';
import { catalogueRoutes } from './catalogue';
import { attestationTypeRoutes } from './attestation-types';
import { changeRoutes } from './changes';
import { controlRoutes } from './controls';
import { environmentRoutes } from './environments';
import { environmentEventRoutes } from './environment-events';
import { flowRoutes } from './flows';
import { invitationRoutes } from './invitations';
import { memberRoutes } from './members';
import { metricRoutes } from './metrics';
import { metaRoutes } from './meta';
import { organizationRoutes } from './organizations';
import { packageRoutes } from './packages';
import { policyRoutes } from './policies';
import { reportRoutes } from './reports';
import { namingRoutes } from './naming';
import { notificationRoutes } from './notifications';
import { repoRoutes } from './repos';
import { retentionRoutes } from './retention';
import { serviceAccountRoutes } from './service-accounts';
import { sessionRoutes } from './sessions';
import { spaceRoutes } from './spaces';
import { snapshotRoutes } from './snapshots';
import { targetConfigRoutes } from './target-configs';
import { trailRoutes } from './trails';
import { userRoutes } from './user';
import { identityRoutes } from './identities';

export { MEMBERSHIP_CHANGES, MEMBERSHIP_SORTS } from './members';
export { TAGGED } from './naming';
export { deploymentPage, type Window, windowOf } from './window';

/** Every route of the API, by operation id. */
export const routes = identified({
  ...artifactRoutes,
  ...attestationTypeRoutes,
  ...controlRoutes,
  ...changeRoutes,
  ...attestRoutes,
  ...attestationRoutes,
  ...environmentRoutes,
  ...catalogueRoutes,
  ...reportRoutes,
  ...flowRoutes,
  ...namingRoutes,
  ...notificationRoutes,
  ...targetConfigRoutes,
  ...packageRoutes,
  ...policyRoutes,
  ...metricRoutes,
  ...repoRoutes,
  ...retentionRoutes,
  ...snapshotRoutes,
  ...spaceRoutes,
  ...environmentEventRoutes,
  ...trailRoutes,
  ...sessionRoutes,
  ...userRoutes,
  ...identityRoutes,
  ...organizationRoutes,
  ...memberRoutes,
  ...invitationRoutes,
  ...serviceAccountRoutes,
  ...metaRoutes,
});
