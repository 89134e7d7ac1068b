import { useParams, useSearchParams } from 'react-router';
import type { Schemas } from '../../api/client';
import { useMay } from '../../api/session';
import { useAnswer, useListPage } from '../../api/use-answer';
import { daysAgo, lastBuckets } from '../../api/window';
import { to } from '../../app/paths';
import { ArtifactList } from '../../parts/ArtifactList';
import { DeliveryCharts } from '../../parts/DeliveryCharts';
import { DeploymentTable } from '../../parts/DeploymentTable';
import { TagsEditor } from '../../parts/TagsEditor';
import { Empty, Facts, Page, Pager, Panel, SafeLink, Tags, Time, useNow, usePageNumber } from '../../ui';
import { Tabs } from '../../ui/Tabs';
import { useZone } from '../../ui/zone';
import { Places } from './Places';

type Repo = Schemas['Repo'];

/** The number of weeks in figures and charts. */
const WEEKS = 12;
/** The page size of each list. */
const PER_PAGE = 20;

export function RepositoryPage() {
  const { name = '' } = useParams();
  const may = useMay();
  const [search] = useSearchParams();
  const repo = useAnswer('/repos/{org}/{name}', { name }, { id: search.get('id') ?? undefined });
  return (
    <Page
      title={repo.name}
      kind="Repository"
      above={[{ text: 'Repositories', href: to.repositories }]}
      lead={repo.description ?? ''}
      actions={may('record') && <TagsEditor kind="repos" id={repo.id} tags={repo.tags} />}
    >
      <Tabs
        label="Parts of the repository"
        tabs={[
          { id: 'now', title: 'Now', content: <Overview repo={repo} /> },
          { id: 'deployments', title: 'Deployments', content: <Deployments repo={repo} /> },
          { id: 'builds', title: 'Builds', content: <Builds repo={repo} /> },
        ]}
      />
    </Page>
  );
}

interface Props {
  readonly repo: Repo;
}

function Overview({ repo }: Props) {
  const period = { ...lastBuckets(useNow(), useZone(), 'week', WEEKS - 1), name: `Last ${WEEKS} weeks` };
  return (
    <>
      <Panel title="About">
        <Facts
          facts={[
            ['Address', <SafeLink href={repo.url} />],
            ['Provider', repo.provider && <bdi>{repo.provider}</bdi>],
            ['Tags', <Tags tags={repo.tags} />],
            ['Known since', <Time at={repo.created_at} />],
          ]}
        />
      </Panel>
      <Panel title="Environments" note={`deployments and lead times of the last ${WEEKS} weeks`} flush>
        <Places repo={repo} period={period} />
      </Panel>
      <DeliveryCharts repository={repo.name} period={period} />
    </>
  );
}

function Deployments({ repo }: Props) {
  const page = usePageNumber();
  const query = { page, per_page: PER_PAGE, start_ts: daysAgo(365), repo_id: repo.id };
  const data = useAnswer('/deployments/{org}/detailed', {}, query);
  return (
    <Panel title="Deployments" note="of the last 365 days" flush>
      <DeploymentTable
        deployments={data.deployments}
        empty={<Empty icon="deployments" title="Nothing of it was deployed in the last year" />}
      />
      <Pager page={page} pages={data.total_pages} total={data.total_count} />
    </Panel>
  );
}

function Builds({ repo }: Props) {
  const page = usePageNumber();
  const [artifacts, more] = useListPage('/artifacts/{org}', {}, { page, per_page: PER_PAGE, repo_name: repo.name });
  return (
    <ArtifactList
      title="Builds"
      none="No build of it was reported"
      artifacts={artifacts}
      page={page}
      more={more}
      hrefOf={({ fingerprint }) => to.search(fingerprint)}
    />
  );
}
