import { Page } from '../../ui';
import { FirstSteps } from './FirstSteps';
import { useProgress } from './progress';

/** The page of the first steps. It shows them even when they are done. */
export const FirstStepsPage = () => (
  <Page title="First steps">
    <Steps />
  </Page>
);

const Steps = () => <FirstSteps progress={useProgress()} title="What to do" />;
