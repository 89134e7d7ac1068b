import { lazy } from 'react';
import { Later } from '../ui/Later';
import type { Props } from './DeliveryFigures';

const DeliveryFigures = lazy(async () => ({ default: (await import('./DeliveryFigures')).DeliveryFigures }));

/** How often and how fast deployments come: in total, in some environments, or from one repository. */
export const DeliveryCharts = (props: Props) => (
  <Later lines={6}>
    <DeliveryFigures {...props} />
  </Later>
);
