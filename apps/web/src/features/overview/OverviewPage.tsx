import { Link } from 'react-router';
import { query, type Schemas } from '../../api/client';
import { useEnvironments } from '../../api/environments';
import { useOrg } from '../../api/session';
import { daysAgo } from '../../api/window';
import { to } from '../../app/paths';
import { DeliveryCharts } from '../../parts/DeliveryCharts';
import { DeploymentTable } from '../../parts/DeploymentTable';
import { ButtonLink, Empty, Figure, Figures, formatCount, Guarded, Page, Panel } from '../../ui';
import { FirstSteps } from './FirstSteps';
import { NotCompliant } from './NotCompliant';

const DAYS = 28;
const WEEKS = 8;

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
  const environments = useEnvironments(org);
  if (environments.length === 0) return <FirstSteps org={org} />;
  return (
    <>
      <State environments={environments} />
      <NotCompliant org={org} environments={environments.filter(({ state }) => state === false)} />
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

function State({ environments }: { readonly environments: readonly Schemas['Environment'][] }) {
  const count = (state: boolean | null) => formatCount(environments.filter((one) => one.state === state).length);
  return (
    <Figures>
      <Figure label="environments compliant">{count(true)}</Figure>
      <Figure label="not compliant">{count(false)}</Figure>
      <Figure label="not judged">{count(null)}</Figure>
    </Figures>
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
