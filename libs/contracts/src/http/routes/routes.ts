import { identityRoutes } from '../../access/routes/identities';
import { invitationRoutes } from '../../access/routes/invitations';
import { memberRoutes } from '../../access/routes/members';
import { organizationRoutes } from '../../access/routes/organizations';
import { serviceAccountRoutes } from '../../access/routes/service-accounts';
import { sessionRoutes } from '../../access/routes/sessions';
import { spaceRoutes } from '../../access/routes/spaces';
import { userRoutes } from '../../access/routes/user';
import { auditLogRoutes } from '../../audit/routes/audit-log';
import { packageRoutes } from '../../audit/routes/packages';
import { retentionRoutes } from '../../audit/routes/retention';
import { componentRoutes } from '../../components/routes/components';
import { deploymentRoutes } from '../../deployments/routes/deployments';
import { metricRoutes } from '../../deployments/routes/metrics';
import { catalogueRoutes } from '../../environments/routes/catalogue';
import { environmentEventRoutes } from '../../environments/routes/environment-events';
import { environmentRoutes } from '../../environments/routes/environments';
import { reportRoutes } from '../../environments/routes/reports';
import { snapshotRoutes } from '../../environments/routes/snapshots';
import { attestRoutes } from '../../evidence/routes/attest';
import { attestationTypeRoutes } from '../../evidence/routes/attestation-types';
import { attestationRoutes } from '../../evidence/routes/attestations';
import { artifactRoutes } from '../../flows/routes/artifacts';
import { buildRoutes } from '../../flows/routes/builds';
import { flowRoutes } from '../../flows/routes/flows';
import { repoRoutes } from '../../flows/routes/repos';
import { trailRoutes } from '../../flows/routes/trails';
import { changeRoutes } from '../../notifications/routes/changes';
import { notificationConfigRoutes } from '../../notifications/routes/notification-configs';
import { notificationRoutes } from '../../notifications/routes/notifications';
import { targetConfigRoutes } from '../../notifications/routes/target-configs';
import { controlRoutes } from '../../policies/routes/controls';
import { evaluationRoutes } from '../../policies/routes/evaluations';
import { policyRoutes } from '../../policies/routes/policies';
import { vulnerabilityRoutes } from '../../vulnerabilities/routes/vulnerabilities';
import { identified } from '../route';
import { metaRoutes } from './meta';
import { namingRoutes } from './naming';

/** All routes of the API, by operation id. */
export const routes = identified({
  ...artifactRoutes,
  ...buildRoutes,
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
  ...notificationConfigRoutes,
  ...targetConfigRoutes,
  ...auditLogRoutes,
  ...packageRoutes,
  ...policyRoutes,
  ...deploymentRoutes,
  ...componentRoutes,
  ...vulnerabilityRoutes,
  ...evaluationRoutes,
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
