import { environmentRoutes } from './environments';
import { flowRoutes } from './flows';
import { metaRoutes } from './meta';
import { reportRoutes } from './reports';
import { repoRoutes } from './repos';
import { namingRoutes } from './naming';
import { snapshotRoutes } from './snapshots';

import { trailRoutes } from './trails';
export { deploymentPage, type Window, windowOf } from './window';

/** Every route of the API, by operation id. */
export const routes = {
  ...environmentRoutes,
  ...reportRoutes,
  ...flowRoutes,
  ...repoRoutes,
  ...namingRoutes,
  ...snapshotRoutes,
  ...metaRoutes,
} as const;
  ...trailRoutes,
