import type { Schemas } from '../../api/client';
import { useAnswer } from '../../api/use-answer';
import { DeploymentTable } from '../../parts/DeploymentTable';
import { Empty, Pager, Panel, usePageNumber } from '../../ui';

interface Props {
  readonly environment: Schemas['Environment'];
}

const PER_PAGE = 25;

/** The deployments to the environment, newest first. They show what changed when something broke, and which version to return to. */
export function EnvironmentDeployments({ environment: { name, included_environments: members } }: Props) {
  const page = usePageNumber();
  const data = useAnswer(
    '/deployments/{org}/detailed',
    {},
    { page, per_page: PER_PAGE, start_ts: 0, env_name: [name] },
  );
  return (
    <Panel title="Deployments" flush>
      <DeploymentTable
        deployments={data.deployments}
        empty={<Empty icon="deployments" title="Nothing was deployed yet" />}
        ofOne={members === null}
      />
      <Pager page={page} pages={data.total_pages} total={data.total_count} />
    </Panel>
  );
}
