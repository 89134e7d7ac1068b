import { Suspense } from 'react';
import { useEnvironmentsIn } from '../../api/environments-in';
import { useOrg } from '../../api/session';
import { useAnswer } from '../../api/use-answer';
import { lastFourWeeks } from '../../api/window';
import { to } from '../../app/paths';
import { DeliveryCharts } from '../../parts/DeliveryCharts';
import { DeploymentTable } from '../../parts/DeploymentTable';
import { ButtonLink, Empty, Figures, formatCount, Guarded, Loading, Page, PageLink, Panel, useNow } from '../../ui';
import { useZone } from '../../ui/zone';
import { StepsLeft } from '../first-steps/StepsLeft';
import { LateEnvironments } from './LateEnvironments';
import { NotCompliant, SHOWN } from './NotCompliant';

const STATES = [
  ['non-compliant', SHOWN],
  ['compliant', 1],
  ['not-judged', 1],
  ['late', SHOWN],
] as const;

export function OverviewPage() {
  const org = useOrg();
  return (
    <Page title={org} kind="Organization">
      <Guarded lines={10}>
        <Content />
      </Guarded>
    </Page>
  );
}

function Content() {
  const [failing, ...otherStates] = useEnvironmentsIn(STATES);
  const [compliant = 0, notJudged = 0, late = 0] = otherStates.map(({ total_count }) => total_count);
  const isEmpty = failing === undefined || compliant + failing.total_count + notJudged === 0;
  const steps = (
    <Suspense fallback={isEmpty ? <Loading lines={10} /> : null}>
      <StepsLeft />
    </Suspense>
  );
  if (isEmpty) return steps;
  return (
    <>
      {steps}
      <Figures
        figures={[
          ['environments compliant', formatCount(compliant)],
          ['not compliant', formatCount(failing.total_count)],
          ['not judged', formatCount(notJudged)],
          ['not reported in time', late > 0 && formatCount(late)],
        ]}
      />
      <LateEnvironments environments={otherStates[2]?.environments ?? []} count={late} />
      <NotCompliant environments={failing.environments} count={failing.total_count} compliantCount={compliant} />
      <Delivery />
      <Panel
        title="Newest deployments"
        note="of the last 4 weeks"
        flush
        actions={
          <ButtonLink look="quiet" to={to.deployments}>
            All deployments
          </ButtonLink>
        }
      >
        <NewestDeployments />
      </Panel>
    </>
  );
}

const Delivery = () => <DeliveryCharts period={lastFourWeeks(useNow(), useZone())} />;

function NewestDeployments() {
  const { start } = lastFourWeeks(useNow(), useZone());
  const data = useAnswer('/deployments/{org}/detailed', {}, { per_page: 8, start_ts: start });
  return (
    <DeploymentTable
      deployments={data.deployments}
      empty={
        <Empty icon="deployments" title="No deployment in the last 4 weeks">
          <PageLink to={`${to.deployments}?time=12m`}>Look at the last year</PageLink>
        </Empty>
      }
    />
  );
}
