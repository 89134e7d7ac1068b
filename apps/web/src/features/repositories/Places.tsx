import { useSuspenseQueries } from '@tanstack/react-query';
import { query, type Schemas } from '../../api/client';
import { metricsQuery } from '../../api/metrics';
import { useOrg } from '../../api/session';
import { ARTIFACTS_PER_PAGE } from '../../api/snapshots';
import { useAnswer } from '../../api/use-answer';
import { daysAgo, type Period } from '../../api/window';
import { to } from '../../app/paths';
import { ArtifactName } from '../../parts/ArtifactName';
import { pageOf } from '../../parts/links';
import { Duration, Empty, formatCount, Hash, NameLink, Table, Verdict } from '../../ui';
import { useZone } from '../../ui/zone';

/** How many of the newest deployments are used to find environments. */
const DEPLOYMENTS = 50;
/** For how many environments the running artifacts are requested. */
const ENVIRONMENTS = 20;
/** An environment to which artifacts of the repository were deployed. */
interface Place {
  readonly env: string;
  /** The flows that built these artifacts. */
  readonly flows: readonly string[];
  readonly fingerprints: ReadonlySet<string>;
}

interface Props {
  readonly repo: Schemas['Repo'];
  /** The period of the deployments and lead times. */
  readonly period: Period;
}

/** The environments to which a repository was deployed: which of its artifacts run there, and how often and how fast deployments came. */
export function Places({ repo, period }: Props) {
  const data = useAnswer(
    '/repos/{org}/{repo}/deployments',
    { repo: repo.id },
    { page: 1, per_page: DEPLOYMENTS, start_ts: daysAgo(365) },
  );
  const names = new Set(data.deployments.flatMap(({ env_name }) => env_name ?? []));
  const places = [...names].slice(0, ENVIRONMENTS).map((env): Place => {
    const deployments = data.deployments.filter(({ env_name }) => env_name === env);
    const flows = new Set(deployments.flatMap((deployment) => flowOf(deployment) ?? []));
    return { env, flows: [...flows], fingerprints: new Set(deployments.map(({ fingerprint }) => fingerprint)) };
  });
  const totals = useTotals(repo, places, period);
  const runningArtifacts = useRunning(places);
  return (
    <Table
      label="Environments"
      rows={places.map((place, i) => ({ ...place, totals: totals[i], running: runningArtifacts[i] ?? [] }))}
      keyOf={({ env }) => env}
      empty={<Empty icon="environments" title="Nothing of it was deployed in the last year" />}
      columns={[
        {
          head: 'Environment',
          kind: 'main',
          cell: ({ env }) => <NameLink to={to.environment(env)}>{env}</NameLink>,
        },
        { head: 'Runs now', kind: 'wide', cell: ({ running }) => <Running artifacts={running} /> },
        { head: 'Deployments', kind: 'number', cell: ({ totals }) => formatCount(totals?.deployments ?? 0) },
        {
          head: 'Median lead time',
          kind: 'number',
          cell: ({ totals }) => <Duration seconds={totals?.lead_time?.p50} />,
        },
        {
          head: 'Lead time, 9 of 10 within',
          kind: 'number',
          cell: ({ totals }) => <Duration seconds={totals?.lead_time?.p90} />,
        },
      ]}
    />
  );
}

/** The flow in the address of an artifact's page: `/{org}/flows/{flow}/artifacts/{fingerprint}`. */
function flowOf({ _links }: Schemas['RepositoryDeployment']): string | null {
  const flow = pageOf(_links?.artifact?.html)?.split('/')[3];
  return flow === undefined ? null : decodeURIComponent(flow);
}

/** The figures of each place. */
function useTotals(repo: Schemas['Repo'], places: readonly Place[], period: Period) {
  const org = useOrg();
  const zone = useZone();
  const answers = useSuspenseQueries({
    queries: places.map(({ env }) =>
      query.queryOptions('get', '/deployments/{org}/metrics', {
        params: {
          path: { org },
          query: metricsQuery(period, zone, { environments: [env], repository: repo.name }),
        },
      }),
    ),
  });
  return answers.map(({ data }) => data.totals);
}

/** The artifacts of the repository that run in each place. */
function useRunning(places: readonly Place[]) {
  const org = useOrg();
  const pairs = places.flatMap(({ env, flows }) => flows.map((flow) => ({ env, flow })));
  const answers = useSuspenseQueries({
    queries: pairs.map(({ env, flow }) =>
      query.queryOptions('get', '/snapshots/{org}/{env}/{expr}', {
        params: {
          path: { org, env, expr: '-1' },
          query: { show: 'running', page: 1, per_page: ARTIFACTS_PER_PAGE, search: flow },
        },
      }),
    ),
  });
  return places.map(({ env, fingerprints }) => {
    const runningArtifacts = answers.flatMap(({ data }, i) => (pairs[i]?.env === env ? data.artifacts : []));
    const repoArtifacts = runningArtifacts.filter(({ fingerprint }) => fingerprints.has(fingerprint));
    return [
      ...new Map(repoArtifacts.map((artifact) => [`${artifact.fingerprint} ${artifact.name}`, artifact])).values(),
    ];
  });
}

function Running({ artifacts }: { readonly artifacts: ReturnType<typeof useRunning>[number] }) {
  if (artifacts.length === 0) return <span className="quiet">nothing</span>;
  return (
    <span className="pile">
      {artifacts.map(({ flow_name: flow, fingerprint, name, compliant }) => (
        <span key={`${fingerprint} ${name}`} className="line">
          <ArtifactName flow={flow} fingerprint={fingerprint} name={name} />
          <Hash value={fingerprint} />
          <Verdict value={compliant} />
        </span>
      ))}
    </span>
  );
}
