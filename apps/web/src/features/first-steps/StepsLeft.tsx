import { lazy } from 'react';
import { isDone, useProgress } from './progress';

// Not loaded once all steps are done.
const FirstSteps = lazy(async () => ({ default: (await import('./FirstSteps')).FirstSteps }));

/** The first steps, until they are done. */
export function StepsLeft() {
  const progress = useProgress();
  return isDone(progress) ? null : <FirstSteps progress={progress} />;
}
