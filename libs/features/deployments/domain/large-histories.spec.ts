import type { InstanceContext, SnapshotRecorded } from '@assurance/contracts/environments/events';
import type { Origin } from '@assurance/environments/domain/artifact-line';
import type { SnapshotResult } from './draft';
import { DeploymentHistory, type EarlierRuns } from './history';
import { artifactSnapshot } from './names';
import { type Workload, workloadsOf } from './workloads';

const MINUTE = 60_000;
const MANY = 10_000;
/** How long a step may hold the thread (milliseconds of its CPU). */
const STEP_MAX = 50;

interface Artifact {
  readonly fingerprint: string;
  readonly name: string;
  readonly workloads?: readonly Workload[];
  readonly origin?: Origin;
}

/** The CPU that this thread used (milliseconds). */
function threadCpu(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** The reports of an environment, and what their steps took. */
class Reports {
  readonly history = new DeploymentHistory();
  private readonly runs = new Map<string, EarlierRuns>();
  private readonly steps: number[] = [];
  private running = new Map<string, Artifact>();
  private snapshot = 0;
  private at = 1_700_000_000_000;

  /** The second longest step (milliseconds): the longest one may have compiled code or collected garbage. */
  get longest(): number {
    return this.steps.toSorted((a, b) => b - a)[1] ?? 0;
  }

  get total(): number {
    return this.steps.reduce((sum, ms) => sum + ms, 0);
  }

  report(artifacts: readonly Artifact[]): SnapshotResult {
    const now = new Map(artifacts.map((artifact) => [artifact.fingerprint, artifact]));
    this.snapshot += 1;
    this.at += MINUTE;
    const { snapshot, at } = this;
    const started = artifacts.filter(({ fingerprint }) => !this.running.has(fingerprint));
    const moved = artifacts.filter(({ fingerprint }) => this.running.has(fingerprint));
    const namesOf = ({ name, workloads = [] }: Artifact) => [[name, workloads] as const];
    const draft = this.history.begin(
      {
        snapshot,
        at,
        isBaseline: snapshot === 1,
        isAfresh: false,
        started: started.map((artifact) => () => ({
          fingerprint: artifact.fingerprint,
          names: namesOf(artifact),
          deployedAt: at / 1_000 - 1,
        })),
        departed: [...this.running.keys()].filter((fingerprint) => !now.has(fingerprint)),
        renamed: new Map(moved.map((artifact) => [artifact.fingerprint, () => namesOf(artifact)])),
      },
      {
        originOf: (fingerprint) => now.get(fingerprint)?.origin ?? null,
        earlierRunsOf: (fingerprint) => this.runs.get(fingerprint) ?? null,
      },
    );
    this.running = now;
    for (let [isOpen, before] = [true, threadCpu()]; isOpen;) {
      isOpen = draft.step();
      const after = threadCpu();
      this.steps.push(after - before);
      before = after;
    }
    const result = draft.result();
    for (const { fingerprint, first, end } of result.departed)
      if (end !== null) this.runs.set(fingerprint, { first, lastEnd: end });
    return result;
  }
}

const artifacts = (count: number, artifactAt: (i: number) => Omit<Artifact, 'fingerprint'>, from = 0): Artifact[] =>
  Array.from({ length: count }, (_, i) => ({ fingerprint: `f${from + i}`, ...artifactAt(from + i) }));
const versions = (count: number, from = 0) => artifacts(count, (i) => ({ name: `web:${i}` }), from);

/** Reports something, nothing, the same again, and then others of the same lines. */
function replaceAll(reports: Reports, before: readonly Artifact[], after: readonly Artifact[]): SnapshotResult[] {
  return [[], before, [], before, after].map((all) => reports.report(all));
}

describe('a snapshot of an artifact with 10,000 names and workloads', () => {
  const contexts = Array.from({ length: MANY }, (_, i) => ({ of: 'azure-app', app: `app-${i}` }) as InstanceContext);
  const nameAt = (i: number) => `web-${i}`;
  const data = {
    snapshot: 2,
    type: 'azure-apps',
    changes: [],
    refreshed: {
      artifacts: Array.from({ length: MANY }, (_, i) => ({ fingerprint: 'f', name: nameAt(i), contexts: [] })),
      dropped: [],
    },
  } as unknown as SnapshotRecorded['data'];

  it('keeps some of them, in a short step', () => {
    const change = artifactSnapshot(data, { at: 1, isBaseline: false }).renamed.get('f');
    const before = threadCpu();
    const names = change?.([['web', []]]);
    expect(threadCpu() - before).toBeLessThan(STEP_MAX);
    expect(names?.length).toBeLessThanOrEqual(100);
    expect(names?.[0]).toEqual(['web', []]);
    expect(workloadsOf('azure-apps', 'web', contexts)).toEqual([]);
    expect(workloadsOf('azure-apps', 'web', contexts.slice(0, 100))).toHaveLength(100);
  });
});

describe('a history with large reports', () => {
  it.each<[string, (i: number) => Omit<Artifact, 'fingerprint'>]>([
    ['names', (i) => ({ name: `name-${i % MANY}:${i}` })],
    ['versions of one name', (i) => ({ name: `web:${i}` })],
    ['namespaces', (i) => ({ name: `web:${i}`, workloads: [`pod/${i % MANY}/ReplicaSet/web`] })],
    ['templates', (i) => ({ name: 'web', origin: { flow: 'f', repo: 'r', template: `t${i % MANY}` } })],
    ['names of one template', (i) => ({ name: `name-${i % MANY}`, origin: { flow: 'f', repo: 'r', template: 't' } })],
  ])('decides 10,000 %s in short steps', (_what, artifactAt) => {
    const reports = new Reports();
    const replaced = replaceAll(reports, artifacts(MANY, artifactAt), artifacts(MANY, artifactAt, MANY));
    expect(replaced[3]?.started.every(({ kind }) => kind === 'restart')).toBe(true);
    expect(replaced[4]?.started.every(({ kind, replaced }) => kind === 'first' && replaced !== null)).toBe(true);
    expect(reports.longest).toBeLessThan(STEP_MAX);
    expect(reports.total).toBeLessThan(3_000);
    expect(reports.history.size).toBeLessThan(4 * MANY);
  });

  it('pairs many versions of a name in the order of their starts', () => {
    const reports = new Reports();
    reports.report([]);
    for (let i = 0; i < 300; i += 1) reports.report(versions(i + 1));
    const { started } = reports.report([...versions(299), ...versions(1, 1_000)]);
    expect(started.map(({ replaced }) => replaced)).toEqual(['301/f299']);
  });

  it('decides 1,000 versions that come and go in short steps, and forgets what they were', () => {
    const reports = new Reports();
    for (let i = 0; i < 50; i += 1) reports.report(versions(1_000).filter((_, j) => (i + j) % 3 > 0));
    expect(reports.longest).toBeLessThan(STEP_MAX);
    expect(reports.total).toBeLessThan(2_000);
    expect(reports.history.size).toBeLessThan(2_000);
  });

  it('decides two versions that take turns for a long time', () => {
    const reports = new Reports();
    for (let i = 0; i < 1_500; i += 1) reports.report(versions(1, i % 2));
    expect(reports.longest).toBeLessThan(STEP_MAX);
    expect(reports.history.size).toBeLessThan(500);
  });

  it('forgets what an artifact that comes and goes alone was', () => {
    const reports = new Reports();
    reports.report([]);
    for (let i = 0; i < 1_500; i += 1) reports.report(versions(i % 2));
    expect(reports.longest).toBeLessThan(STEP_MAX);
    expect(reports.history.size).toBeLessThan(250);
  });

  it('decides as many versions as it compares, one of which returns after the other', () => {
    const reports = new Reports();
    const all = versions(100);
    reports.report(all);
    for (let i = 0; i < all.length; i += 1) reports.report(all.slice(i + 1));
    for (let i = 0; i < all.length; i += 1) reports.report(all.slice(0, i + 1));
    expect(reports.longest).toBeLessThan(STEP_MAX);
  });

  it('forgets versions and lines that are gone', () => {
    const reports = new Reports();
    for (let i = 0; i < 5_000; i += 1)
      reports.report(artifacts(1, (n) => ({ name: `web:${n}`, workloads: [`pod/${n}/ReplicaSet/web`] }), i));
    expect(reports.history.size).toBeLessThan(1_000);
    expect(reports.history.lineCount).toBeLessThan(1_000);
  });

  it('keeps the last names and workloads of what moves again and again', () => {
    const reports = new Reports();
    for (let i = 0; i < 1_000; i += 1)
      reports.report([{ fingerprint: 'f', name: `web:${i}`, workloads: [`app/${i}`] }]);
    const [deployment] = reports.report([]).departed;
    expect(deployment?.appearances.length).toBeLessThan(50);
    expect([deployment?.looks[0]?.name, deployment?.looks.at(-1)?.name]).toEqual(['web:0', 'web:999']);
  });
});
