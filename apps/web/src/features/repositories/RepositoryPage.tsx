import { useParams, useSearchParams } from 'react-router';
import type { Schemas } from '../../api/client';
import { useMay } from '../../api/session';
import { useAnswer } from '../../api/use-answer';
import { daysAgo } from '../../api/window';
import { to } from '../../app/paths';
import { ArtifactList } from '../../parts/ArtifactList';
import { DeployedName } from '../../parts/ArtifactName';
import { CommitLine } from '../../parts/CommitLine';
import { DeliveryCharts } from '../../parts/DeliveryCharts';
import { TagsEditor } from '../../parts/TagsEditor';
import {
  Duration,
  Empty,
  Facts,
  Hash,
  isKnownTime,
  Page,
  PageLink,
  Pager,
  Panel,
  SafeLink,
  Table,
  Tags,
  Time,
  usePageNumber,
  Verdict,
} from '../../ui';
import { Tabs } from '../../ui/Tabs';
import { Places } from './Places';

type Repo = Schemas['Repo'];

/** Of figures and charts. */
const DAYS = 90;
/** Of each list. */
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
      lead={repo.description === null ? '' : <bdi>{repo.description}</bdi>}
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

const Overview = ({ repo }: Props) => (
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
    <Panel title="Environments" note={`deployments and lead times of the last ${DAYS} days`} flush>
      <Places repo={repo} days={DAYS} />
    </Panel>
    <DeliveryCharts repository={repo.name} days={DAYS} />
  </>
);

function Deployments({ repo }: Props) {
  const page = usePageNumber();
  const data = useAnswer(
    '/repos/{org}/{repo}/deployments',
    { repo: repo.id },
    { page, per_page: PER_PAGE, start_ts: daysAgo(365) },
  );
  return (
    <Panel title="Deployments" flush>
      <Table
        label="Deployments"
        rows={data.deployments}
        keyOf={({ env_name, snapshot_index, fingerprint }) => `${env_name} ${snapshot_index} ${fingerprint}`}
        empty={<Empty icon="deployments" title="Nothing of it was deployed in the last year" />}
        columns={[
          { head: 'Artifact', kind: 'main', cell: (row) => <Name row={row} /> },
          {
            head: 'Environment',
            cell: ({ env_name: env, snapshot_index: index }) =>
              env === null || index === null ? null : (
                <PageLink to={to.snapshot(env, index)}>
                  <bdi>{env}</bdi> #{index}
                </PageLink>
              ),
          },
          { head: 'Verdict', cell: ({ compliance }) => <Verdict value={compliance} /> },
          {
            head: 'Commit',
            kind: 'text',
            cell: ({ commit }) =>
              commit && (
                <CommitLine sha={commit.sha1} url={commit.url} message={commit.message} author={commit.author} />
              ),
          },
          { head: 'Deployed', cell: ({ deployed_at }) => <Time at={deployed_at} /> },
          { head: 'Lead time', kind: 'number', cell: (row) => <Duration seconds={leadTime(row)} /> },
          { head: 'Replaced', cell: (row) => <Replaced row={row} /> },
        ]}
      />
      <Pager page={page} pages={data.total_pages} total={data.total_count} />
    </Panel>
  );
}

type Row = Schemas['RepositoryDeployment'];

/** Seconds from the commit to the deployment; null if the time of the commit is unknown or later. */
const leadTime = ({ deployed_at, commit }: Row): number | null =>
  isKnownTime(commit?.timestamp) && commit.timestamp <= deployed_at ? deployed_at - commit.timestamp : null;

const Name = ({ row }: { readonly row: Row }) => (
  <span className="pile">
    <DeployedName deployment={row} />
    <Hash value={row.fingerprint} />
  </span>
);

const Replaced = ({ row: { replaced_artifact: replaced, diff_url } }: { readonly row: Row }) =>
  replaced === null ? (
    <span className="quiet">nothing</span>
  ) : (
    <span className="pile">
      <bdi>{replaced.artifact_name ?? replaced.fingerprint.slice(0, 12)}</bdi>
      {diff_url !== null && (
        <span className="small">
          <SafeLink href={diff_url}>Code between</SafeLink>
        </span>
      )}
    </span>
  );

function Builds({ repo }: Props) {
  const page = usePageNumber();
  const data = useAnswer('/artifacts/{org}', {}, { page, per_page: PER_PAGE, repo_name: repo.name });
  return (
    <ArtifactList
      title="Builds"
      none="No build of it was reported"
      artifacts={data}
      page={page}
      perPage={PER_PAGE}
      hrefOf={({ fingerprint }) => to.search(fingerprint)}
    />
  );
}
