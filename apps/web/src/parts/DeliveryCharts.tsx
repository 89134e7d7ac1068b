import { useIsFetching } from '@tanstack/react-query';
import { lazy, useEffect, useState } from 'react';
import { Guarded, Loading } from '../ui';
import type { Props } from './DeliveryFigures';

const DeliveryFigures = lazy(async () => ({ default: (await import('./DeliveryFigures')).DeliveryFigures }));

/**
 * How often and how fast is deployed: in all, in some environments, or from one repository. Charts are loaded once the rest of the page has
 * what it shows.
 */
export function DeliveryCharts(props: Props) {
  const [begun, begin] = useState(false);
  const busy = useIsFetching() > 0;
  useEffect(() => {
    if (busy) return undefined;
    const frame = requestAnimationFrame(() => begin(true));
    return () => cancelAnimationFrame(frame);
  }, [busy]);
  return begun ? (
    <Guarded lines={LINES}>
      <DeliveryFigures {...props} />
    </Guarded>
  ) : (
    <div data-later>
      <Loading lines={LINES} />
    </div>
  );
}

const LINES = 6;
