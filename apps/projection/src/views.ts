import { membershipLogView } from '@assurance/access/read/membership-log/follow';
import { auditLogView } from '@assurance/audit/read/audit-log/follow';
import { componentsView } from '@assurance/components/read/components/follow';
import { deploymentsView } from '@assurance/deployments/read/deployments/follow';
import { environmentEventsView } from '@assurance/environments/read/environment-events/follow';
import type { View } from '@assurance/event-sourcing/projection/view';
import { artifactsView } from '@assurance/flows/read/artifacts/follow';
import { flowActivityView } from '@assurance/flows/read/flows/activity';
import { repoActivityView } from '@assurance/flows/read/repos/activity';
import { tagsView } from '@assurance/flows/read/tags';
import { trailsView } from '@assurance/flows/read/trails/follow';
import { vulnerabilitiesView } from '@assurance/vulnerabilities/read/vulnerabilities/follow';

/** All views that follow the feed. */
export const views: readonly View[] = [
  artifactsView,
  auditLogView,
  componentsView,
  deploymentsView,
  environmentEventsView,
  flowActivityView,
  repoActivityView,
  membershipLogView,
  tagsView,
  trailsView,
  vulnerabilitiesView,
];
