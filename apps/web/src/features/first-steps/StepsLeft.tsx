import { FirstSteps } from './FirstSteps';
import { isDone, useProgress } from './progress';

/** The first steps, until they are done. */
export function StepsLeft() {
  const progress = useProgress();
  return isDone(progress) ? null : <FirstSteps progress={progress} />;
}
