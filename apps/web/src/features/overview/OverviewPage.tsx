import { Link } from 'react-router';
import { query } from '../../api/client';
import { useEnvironmentsIn } from '../../api/environments';
import { useOrg } from '../../api/session';
import { daysAgo } from '../../api/window';
import { to } from '../../app/paths';
import { DeliveryCharts } from '../../parts/DeliveryCharts';
import { DeploymentTable } from '../../parts/DeploymentTable';
import { ButtonLink, Empty, Figure, Figures, formatCount, Guarded, Page, Panel } from '../../ui';
import { FirstSteps } from './FirstSteps';
import { NotCompliant, SHOWN } from './NotCompliant';

const DAYS = 28;
const WEEKS = 8;
const STATES = [
  ['non-compliant', SHOWN],
  ['compliant', 1],
  ['not-judged', 1],
] as const;

export function OverviewPage() {
  const org = useOrg();
  return (
    <Page title={org} kind="Organization">
      <Guarded lines={10}>
        <Content org={org} />
      </Guarded>
    </Page>
  );
}

function Content({ org }: { readonly org: string }) {
  const [failing, ...others] = useEnvironmentsIn(org, STATES);
  const [compliant = 0, notJudged = 0] = others.map(({ total_count }) => total_count);
  if (failing === undefined || compliant + failing.total_count + notJudged === 0) return <FirstSteps org={org} />;
  return (
    <>
      <Figures>
        <Figure label="environments compliant">{formatCount(compliant)}</Figure>
        <Figure label="not compliant">{formatCount(failing.total_count)}</Figure>
        <Figure label="not judged">{formatCount(notJudged)}</Figure>
      </Figures>
      <NotCompliant org={org} environments={failing.environments} count={failing.total_count} />
      <DeliveryCharts org={org} days={WEEKS * 7} />
      <Panel
        title="Newest deployments"
        flush
        actions={
          <ButtonLink look="quiet" to={to.deployments(org)}>
            All deployments
          </ButtonLink>
        }
      >
        <Newest org={org} />
      </Panel>
    </>
  );
}

function Newest({ org }: { readonly org: string }) {
  const { data } = query.useSuspenseQuery('get', '/deployments/{org}', {
    params: { path: { org }, query: { per_page: 8, start_ts: daysAgo(DAYS) } },
  });
  return (
    <DeploymentTable
      org={org}
      deployments={data.deployments}
      empty={
        <Empty icon="deployments" title={`No deployment in the last ${DAYS} days`}>
          <Link to={`${to.deployments(org)}?days=365`}>Look at the last year</Link>
        </Empty>
      }
    />
  );
}
