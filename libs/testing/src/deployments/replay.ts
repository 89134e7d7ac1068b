import type { InstanceContext, SnapshotChange, SnapshotRecorded } from '@assurance/contracts/environments/events';
import { DAY } from '@assurance/deployments/domain/deployment';
import type { LiveDeployment } from '@assurance/deployments/domain/draft';
import { DeploymentHistory, type EarlierRuns } from '@assurance/deployments/domain/history';
import { artifactSnapshot } from '@assurance/deployments/domain/names';
import { compareTexts, groupBy } from '@assurance/kernel';
import type { ModelDeployment, ModelItem, ModelReport, ModelWorkload, OriginOf } from './model';

type RunningItems = ReadonlyMap<string, readonly ModelItem[]>;

/** What the module decides about a history of the model, from the events that a service would record. */
export function replay(reports: readonly ModelReport[], modelOriginOf: OriginOf): readonly ModelDeployment[] {
  const originOf = (fingerprint: string) => {
    const origin = modelOriginOf(fingerprint);
    if (origin === null) return null;
    const { repo, flow, template } = origin;
    return { repo, flow: flow ?? '', template: flow === null ? null : template };
  };
  const history = new DeploymentHistory();
  const all: LiveDeployment[] = [];
  let begin = 0;
  let running: RunningItems | null = null;
  let previousAt: number | null = null;
  let snapshot = 0;
  for (const { at, items, revival = false } of reports) {
    if (revival) [running, previousAt, begin] = [null, null, all.length];
    const now: RunningItems = groupBy(items, ({ fingerprint }) => fingerprint);
    const isSame = running?.size === now.size && [...now.keys()].every((fingerprint) => running?.has(fingerprint));
    if (!isSame) {
      snapshot += 1;
      const earlierRunsOf = (fingerprint: string): EarlierRuns | null => {
        const last = all.slice(begin).findLast((deployment) => deployment.fingerprint === fingerprint);
        return last === undefined || last.end === null ? null : { first: last.first, lastEnd: last.end };
      };
      const data = snapshotData({ snapshot, at, previousAt, revival }, running ?? new Map(), now);
      const times = { at: at * 1_000, isBaseline: previousAt === null };
      const event = artifactSnapshot(data, times);
      all.push(...history.apply(event, { originOf, earlierRunsOf }).started);
      running = now;
    }
    previousAt = at;
  }
  const byId = new Map(all.map((deployment) => [deployment.id, deployment]));
  const end = (reports.at(-1)?.at ?? 0) * 1_000;
  return all
    .map((deployment) => resultOf(deployment, byId, end))
    .sort(
      (a, b) =>
        a.snapshot - b.snapshot ||
        a.deployedAt - b.deployedAt ||
        compareTexts(a.name, b.name) ||
        compareTexts(a.fingerprint, b.fingerprint),
    );
}

function resultOf(
  { start, fingerprint, appearances, deployedAt, kind, isFinal, changedAt, replaced: id }: LiveDeployment,
  byId: ReadonlyMap<string, LiveDeployment>,
  now: number,
): ModelDeployment {
  const replaced = byId.get(id ?? '');
  return {
    snapshot: start.snapshot,
    fingerprint,
    name: appearances[0]?.names[0]?.[0] ?? '',
    deployedAt,
    kind,
    kindFinal: isFinal || now - changedAt > DAY,
    replaced:
      replaced === undefined
        ? null
        : { fingerprint: replaced.fingerprint, snapshotIndex: (replaced.end?.snapshot ?? 0) - 1 },
  };
}

interface ReportFacts {
  readonly snapshot: number;
  readonly at: number;
  readonly previousAt: number | null;
  readonly revival: boolean;
}

/** The event of a report. A revival begins with nothing, as it does where the environment's type changed. */
function snapshotData(
  { snapshot, at, previousAt, revival }: ReportFacts,
  before: RunningItems,
  now: RunningItems,
): SnapshotRecorded['data'] {
  const changeOf = (fingerprint: string, name: string, count: number, deployedAt: number): SnapshotChange => ({
    fingerprint,
    name,
    change: count > 0 ? 'started' : 'exited',
    instances: [],
    since: { snapshot, at: at * 1_000, deployedAt },
    flows: [],
    compliant: null,
    was: 0,
    now: count,
    wholly: true,
    replacedBy: null,
  });
  const contextsOf = (items: readonly ModelItem[]) =>
    items.flatMap(({ workloads }) => (workloads ?? []).map(contextOf));
  const named = [...now].flatMap(([fingerprint, items]) =>
    [...groupBy(items, ({ name }) => name)].map(([name, own]) => ({ fingerprint, name, own })),
  );
  const exited = [...before].filter(([fingerprint]) => !now.has(fingerprint));
  const started = named.filter(({ fingerprint }) => !before.has(fingerprint));
  const continued = named.filter(({ fingerprint }) => before.has(fingerprint));
  return {
    snapshot,
    environment: 'production',
    type: 'K8S',
    changes: [
      ...exited.map(([fingerprint, [item]]) => changeOf(fingerprint, item?.name ?? '', 0, at)),
      ...started.map(({ fingerprint, name, own }) => {
        const earliest = Math.min(...own.map(({ startedAt }) => startedAt));
        const deployedAt = Math.min(at, Math.max(previousAt ?? -Infinity, earliest));
        return { ...changeOf(fingerprint, name, own.length, deployedAt), contexts: contextsOf(own) };
      }),
    ],
    refreshed: {
      artifacts: continued.map(({ fingerprint, name, own }) => ({
        fingerprint,
        name,
        instances: [],
        since: { snapshot, at: at * 1_000, deployedAt: at },
        known: 0,
        contexts: contextsOf(own),
      })),
      dropped: [],
    },
    observedAt: at * 1_000,
    previousReportAt: previousAt === null ? null : previousAt * 1_000,
    ...(revival ? { afresh: 'docker' } : {}),
  };
}

/** `shop/deployment/web` and `shop/cronjob/web` are of pods, other jobs of Cloud Run and all others of ECS. */
function contextOf({ id, isJob }: ModelWorkload): InstanceContext {
  const [namespace = '', kind = '', name = ''] = id.split('/');
  if (kind === '' || kind === 'service') {
    if (isJob) return { of: 'cloud-run', kind: 'job', service: null, revision: null, job: id };
    return { of: 'task', arn: '', cluster: null, service: id };
  }
  const owner = isJob ? { kind: 'Job', name: `${name}-28391040` } : { kind: 'ReplicaSet', name: `${name}-7d4b9c6f5d` };
  const owners = [{ apiVersion: 'v1', uid: 'u', controller: true, ...owner }];
  return { of: 'pod', pod: 'p', namespace, owners };
}
