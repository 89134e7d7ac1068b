import { useSuspenseQueries } from '@tanstack/react-query';
import { Link } from 'react-router';
import { query, type Schemas } from '../../api/client';
import { ARTIFACTS_PER_PAGE } from '../../api/snapshots';
import { daysAgo } from '../../api/window';
import { to } from '../../app/paths';
import { ArtifactName } from '../../parts/ArtifactName';
import { pageOf } from '../../parts/links';
import { Duration, Empty, formatCount, Guarded, Table, Verdict } from '../../ui';

/** How many of the newest deployments say in which environments to look. */
const DEPLOYMENTS = 50;
/** How many environments are asked for what runs there. */
const ENVIRONMENTS = 20;
/** An environment that artifacts of the repository were deployed to. */
interface Place {
  readonly org: string;
  readonly env: string;
  readonly repository: string;
  readonly days: number;
  /** The flows that made these artifacts. */
  readonly flows: ReadonlySet<string>;
  readonly fingerprints: ReadonlySet<string>;
}

interface Props {
  readonly org: string;
  readonly repo: Schemas['Repo'];
  /** Of deployments and lead times. */
  readonly days: number;
}

/** The environments that a repository was deployed to: what of it runs there, and how often and how fast it came. */
export function Places({ org, repo, days }: Props) {
  const { data } = query.useSuspenseQuery('get', '/repos/{org}/{repo}/deployments', {
    params: { path: { org, repo: repo.id }, query: { page: 1, per_page: DEPLOYMENTS, start_ts: daysAgo(365) } },
  });
  const names = new Set(data.deployments.flatMap(({ env_name }) => env_name ?? []));
  const places = [...names].slice(0, ENVIRONMENTS).map((env): Place => {
    const there = data.deployments.filter(({ env_name }) => env_name === env);
    return {
      ...{ org, env, repository: repo.name, days },
      flows: new Set(there.flatMap((deployment) => flowOf(deployment) ?? [])),
      fingerprints: new Set(there.map(({ fingerprint }) => fingerprint)),
    };
  });
  return (
    <Table
      label="Environments"
      rows={places}
      keyOf={({ env }) => env}
      empty={<Empty icon="environments" title="Nothing of it was deployed in the last year" />}
      columns={[
        {
          head: 'Environment',
          kind: 'main',
          cell: ({ env }) => (
            <Link to={to.environment(org, env)}>
              <bdi>{env}</bdi>
            </Link>
          ),
        },
        { head: 'Runs now', kind: 'wide', cell: (place) => guarded(<Running {...place} />) },
        { head: 'Deployments', kind: 'number', cell: (place) => guarded(<Deployments {...place} />) },
        { head: 'Lead time p50', kind: 'number', cell: (place) => guarded(<LeadTime {...place} of="p50" />) },
        { head: 'Lead time p90', kind: 'number', cell: (place) => guarded(<LeadTime {...place} of="p90" />) },
      ]}
    />
  );
}

const guarded = (cell: React.ReactNode) => <Guarded lines={1}>{cell}</Guarded>;

/** The flow in the address of an artifact's page: `/{org}/flows/{flow}/artifacts/{fingerprint}`. */
function flowOf({ _links }: Schemas['RepositoryDeployment']): string | null {
  const flow = pageOf(_links?.artifact?.html)?.split('/')[3];
  return flow === undefined ? null : decodeURIComponent(flow);
}

function Running({ org, env, flows, fingerprints }: Place) {
  const running = useSuspenseQueries({
    queries: [...flows].map((search) =>
      query.queryOptions('get', '/snapshots/{org}/{env}/{expr}', {
        params: {
          path: { org, env, expr: '-1' },
          query: { show: 'running', page: 1, per_page: ARTIFACTS_PER_PAGE, search },
        },
      }),
    ),
    combine: (answers) => {
      const artifacts = answers.flatMap(({ data }) => data.artifacts);
      return new Map(artifacts.map((artifact) => [`${artifact.fingerprint} ${artifact.name}`, artifact]));
    },
  });
  const own = [...running].filter(([, { fingerprint }]) => fingerprints.has(fingerprint));
  if (own.length === 0) return <span className="quiet">nothing</span>;
  return (
    <span className="pile">
      {own.map(([key, { flow_name: flow, fingerprint, name, compliant }]) => (
        <span key={key} className="line">
          <ArtifactName org={org} flow={flow} fingerprint={fingerprint} name={name} />
          <Verdict value={compliant} />
        </span>
      ))}
    </span>
  );
}

const useTotals = ({ org, env, repository, days }: Place) =>
  query.useSuspenseQuery('get', '/deployments/{org}/metrics', {
    params: { path: { org }, query: { start_ts: daysAgo(days), env_name: [env], repo_name: repository } },
  }).data.totals;

const Deployments = (place: Place) => formatCount(useTotals(place).deployments);

const LeadTime = ({ of, ...place }: Place & { readonly of: 'p50' | 'p90' }) => (
  <Duration seconds={useTotals(place).lead_time?.[of]} />
);
