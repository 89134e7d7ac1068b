import type { Origin } from '@assurance/environments/domain/artifact-line';
import { groupBy } from '@assurance/kernel';
import { type Candidate, decideGroup, runEndingWith } from './decide';
import { DAY, deploymentId, type DeploymentId, type FirstRun, type Moment } from './deployment';
import { Draft, type LiveDeployment, type SnapshotResult } from './draft';
import { LineIndex } from './line-index';
import { type Line, Lines } from './lines';
import { type ArtifactSnapshot, isSameNames, type Names, type StartedArtifact } from './names';
import { continuesFrom, isOver } from './over';
import { matchDepartures, type OpenDeployment, type Past } from './pairs';
import { ranBeside, settledUntil } from './settle';

/** The most deployments that are kept before those that decide nothing any more are looked for. */
const TRIM_MIN = 8;

/** When a fingerprint ran before: facts about an artifact that returns. */
export interface EarlierRuns {
  readonly first: FirstRun;
  readonly lastEnd: Moment;
}

/** Facts of other streams and of settled deployments, for the artifacts of one snapshot. */
export interface SnapshotFacts {
  /** Null where no flow reported it. */
  originOf(fingerprint: string): Origin | null;
  /** Null where it never ran here. Asked only of fingerprints that no live deployment has. */
  earlierRunsOf(fingerprint: string): EarlierRuns | null;
}

/**
 * The deployments of an environment since its last revival, as far as they can still decide something: what runs, each group of connected lines since
 * its last quiet day, and departures that nothing replaced.
 */
export class DeploymentHistory {
  private readonly lines = new Lines();
  private readonly byFingerprint = new Map<string, LiveDeployment[]>();
  private readonly byLine = new LineIndex<LiveDeployment>();
  private readonly running = new LineIndex<LiveDeployment>();
  /** Returns whose kinds are not final. */
  private readonly pending = new LineIndex<LiveDeployment>();
  /** When something of a line last came, left or moved (milliseconds). */
  private readonly changedAt = new Map<Line, number>();
  private sizeAfterTrim = 0;

  /** The names of an artifact; undefined if it does not run. */
  namesOf(fingerprint: string): Names | undefined {
    return this.runningOf(fingerprint)?.appearances.at(-1)?.names;
  }

  /** The name of an artifact's newest deployment; null if none of it may still decide something. */
  nameOf(fingerprint: string): string | null {
    return this.byFingerprint.get(fingerprint)?.at(-1)?.looks.at(-1)?.name ?? null;
  }

  /** Whether a deployment of an artifact may still decide something. */
  hasLive(fingerprint: string): boolean {
    return this.byFingerprint.has(fingerprint);
  }

  get size(): number {
    return this.byLine.size;
  }

  /** Applies a snapshot, and decides what it changes. */
  apply(snapshot: ArtifactSnapshot, facts: SnapshotFacts): SnapshotResult {
    const { at, isBaseline, isAfresh, started, departed, renamed } = snapshot;
    const draft = new Draft({ snapshot: snapshot.snapshot, at });
    if (isAfresh) this.clear();
    else if (isBaseline) this.revive();
    for (const [fingerprint, names] of renamed) this.move(fingerprint, names, facts, draft);
    for (const fingerprint of departed) this.end(fingerprint, draft);
    // The first report of a new history does not have them: they never ran in it.
    if (isBaseline) for (const deployment of draft.departed) this.remove(deployment);
    for (const artifact of started) this.start(artifact, isBaseline, facts, draft);
    for (const lines of this.lines.components(draft.lines)) this.decide(lines, draft);
    if (this.byLine.size > 2 * this.sizeAfterTrim + TRIM_MIN) this.trim(draft);
    return draft.result();
  }

  /**
   * Takes another origin of an artifact.
   *
   * @returns false if its lines are others now, so that deployments have to be decided again
   */
  changeOrigin(fingerprint: string, origin: Origin | null): boolean {
    let isSame = true;
    for (const deployment of [...(this.byFingerprint.get(fingerprint) ?? [])]) {
      const looks = deployment.appearances.map((appearance) => this.lines.lookOf(appearance, origin));
      isSame &&= looks.every(({ line }, i) => isSameRelation(line, deployment.looks[i]?.line));
      for (const index of [this.byLine, this.running, this.pending]) index.replace(deployment, looks);
      deployment.looks = looks;
    }
    return isSame;
  }

  /** Begins a new history. What runs goes on, and nothing of it was seen to start. */
  private revive(): void {
    const running = [...this.byFingerprint.values()].flatMap((all) => all.filter(({ end }) => end === null));
    this.clear();
    for (const deployment of running) {
      carryOver(deployment);
      this.add(deployment);
    }
  }

  private runningOf(fingerprint: string): LiveDeployment | undefined {
    const last = this.byFingerprint.get(fingerprint)?.at(-1);
    return last?.end === null ? last : undefined;
  }

  private move(fingerprint: string, names: Names, { originOf }: SnapshotFacts, draft: Draft): void {
    const deployment = this.runningOf(fingerprint);
    const last = deployment?.appearances.at(-1);
    if (deployment === undefined || last === undefined || isSameNames(last.names, names)) return;
    const appearance = { from: draft.moment, names };
    const look = this.lines.lookOf(appearance, originOf(fingerprint));
    draft.lines.add(look.line);
    for (const { line } of deployment.looks.slice(-1)) draft.lines.add(line);
    this.remove(deployment);
    deployment.appearances = [...deployment.appearances, appearance];
    deployment.looks = [...deployment.looks, look];
    this.add(deployment);
    draft.touched.add(deployment);
  }

  private end(fingerprint: string, draft: Draft): void {
    const deployment = this.runningOf(fingerprint);
    if (deployment === undefined) return;
    deployment.end = draft.moment;
    this.running.remove(deployment);
    draft.addDeparted(deployment, lineOf(deployment));
  }

  private start(
    { fingerprint, names, deployedAt }: StartedArtifact,
    isBaseline: boolean,
    facts: SnapshotFacts,
    draft: Draft,
  ): void {
    const { moment } = draft;
    const appearance = { from: moment, names };
    const look = this.lines.lookOf(appearance, facts.originOf(fingerprint));
    const earlier = this.earlierRuns(fingerprint) ?? facts.earlierRunsOf(fingerprint);
    const isStartKnown = deployedAt * 1_000 < moment.at;
    const isReturn = earlier !== null && !isBaseline;
    const deployment: LiveDeployment = {
      id: deploymentId(moment.snapshot, fingerprint),
      fingerprint,
      start: moment,
      deployedAt,
      isBaseline,
      first: earlier?.first ?? { snapshot: moment.snapshot, deployedAt, isStartKnown, isBaseline },
      previousEnd: isReturn ? earlier.lastEnd : null,
      appearances: [appearance],
      looks: [look],
      end: null,
      runSince: moment.snapshot,
      kind: isBaseline ? 'baseline' : isReturn ? 'restart' : 'first',
      isFinal: true,
      changedAt: moment.at,
      replaced: null,
      completed: null,
      isSettled: !isReturn,
      isDepartureSettled: false,
    };
    draft.addStarted(deployment, look.line);
    this.add(deployment);
  }

  private earlierRuns(fingerprint: string): EarlierRuns | null {
    const last = this.byFingerprint.get(fingerprint)?.at(-1);
    return last === undefined || last.end === null ? null : { first: last.first, lastEnd: last.end };
  }

  /** Decides the group of some connected lines, after what came and left is known. */
  private decide(lines: ReadonlySet<Line>, draft: Draft): void {
    this.pass(lines, draft);
    const isReturn = ({ previousEnd }: LiveDeployment) => previousEnd !== null;
    const started = [...lines].flatMap((line) => draft.startedOf(line));
    const departed = [...lines].flatMap((line) => draft.departedOf(line));
    if (!started.some(isReturn) && !this.pending.some(lines, ({ isSettled }) => !isSettled)) {
      const pairs = matchDepartures(departed, this.openOf(lines), (departure) => this.pastOf(departure));
      for (const [departure, deployment] of pairs) this.pair(departure, deployment, draft);
      return;
    }
    const all = this.byLine.of(lines).sort(byStart);
    const returned = started.filter(isReturn);
    const firstEnd = returned.reduce((least, { previousEnd }) => Math.min(least, previousEnd?.snapshot ?? 0), Infinity);
    const others = all.filter(({ end }) => (end?.snapshot ?? Infinity) > firstEnd);
    for (const deployment of returned) this.startReturn(deployment, others, draft);
    const { kinds, completed } = decideGroup(all);
    this.applyPairs(all, completed, draft);
    for (const [deployment, kind] of kinds) {
      if (kind === deployment.kind) continue;
      draft.revise(deployment as LiveDeployment).kind = kind;
    }
  }

  private applyPairs(
    all: readonly LiveDeployment[],
    completed: ReadonlyMap<Candidate, DeploymentId>,
    draft: Draft,
  ): void {
    const byId = new Map(all.map((deployment) => [deployment.id, deployment]));
    const changed = all.filter(
      (departure) => !departure.isDepartureSettled && departure.completed !== (completed.get(departure) ?? null),
    );
    for (const departure of changed) {
      const former = departure.completed === null ? undefined : byId.get(departure.completed);
      departure.completed = null;
      draft.touched.add(departure);
      if (former?.replaced !== departure.id) continue;
      draft.revise(former).replaced = null;
    }
    for (const departure of changed) {
      const deployment = byId.get(completed.get(departure) ?? '0/');
      if (deployment !== undefined) this.pair(departure, deployment, draft);
    }
  }

  private pair(departure: LiveDeployment, deployment: LiveDeployment, draft: Draft): void {
    departure.completed = deployment.id;
    draft.touched.add(departure);
    draft.revise(deployment).replaced = departure.id;
  }

  /** A return while whose absence nothing of its line ran is a restart at once. */
  private startReturn(deployment: LiveDeployment, others: readonly LiveDeployment[], draft: Draft): void {
    deployment.isSettled = !others.some((other) => ranBeside(deployment, other));
    deployment.isFinal = deployment.isSettled;
    if (deployment.isFinal) return;
    this.pending.add(deployment);
    draft.pending.add(deployment);
  }

  /** Notes a change of a group. What came before a quiet day is final and settled. */
  private pass(lines: ReadonlySet<Line>, { moment, touched, pending, finals }: Draft): void {
    for (const deployment of this.pending.of(lines)) {
      if (moment.at - deployment.changedAt > DAY) {
        deployment.isFinal = true;
        this.pending.remove(deployment);
        touched.add(deployment);
        finals.add(deployment);
      } else {
        deployment.changedAt = moment.at;
        pending.add(deployment);
      }
    }
    let last = -Infinity;
    for (const line of lines) {
      last = Math.max(last, this.changedAt.get(line) ?? -Infinity);
      this.changedAt.set(line, moment.at);
    }
    if (moment.at - last > DAY) this.settle(this.byLine.of(lines), last + 1);
  }

  private settle(all: readonly LiveDeployment[], until: number): void {
    for (const deployment of all) {
      if (deployment.start.at < until) deployment.isSettled = true;
      if (deployment.end !== null && deployment.end.at < until) deployment.isDepartureSettled = true;
    }
  }

  /** Forgets what decides nothing any more. */
  private trim({ moment: { at }, touched }: Draft): void {
    for (const lines of this.lines.components(this.lines.all())) {
      const all = this.byLine.of(lines).sort(byStart);
      this.settle(all, settledUntil(all, at));
      const summary = {
        starts: new Set(all.map(({ start }) => start.snapshot)),
        undecided: new Set(all.flatMap(({ id, isDepartureSettled }) => (isDepartureSettled ? [] : [id]))),
      };
      for (const own of groupBy(all, ({ fingerprint }) => fingerprint).values()) {
        let previous: LiveDeployment | undefined;
        for (const [i, deployment] of own.entries()) {
          const later = own.slice(i + 1);
          const isFollowing = previous !== undefined && continuesFrom(deployment, previous);
          // The newest one tells when the artifact left last.
          const isNeeded = later.length === 0 && this.byFingerprint.get(deployment.fingerprint)?.length !== 1;
          if (isFollowing || isNeeded || !isOver(deployment, later, summary)) {
            previous = deployment;
            continue;
          }
          const [next] = later;
          if (next !== undefined && continuesFrom(next, deployment)) {
            next.runSince = deployment.runSince;
            touched.add(next);
          }
          this.remove(deployment);
          touched.add(deployment);
        }
      }
    }
    this.sizeAfterTrim = this.byLine.size;
  }

  /** The deployments of some lines that may complete a departure, where all returns are decided. */
  private openOf(lines: ReadonlySet<Line>): OpenDeployment<LiveDeployment>[] {
    return this.running.of(lines).flatMap((present) => {
      const deployment = present.kind === 'restart' ? this.pastOf(present).run.at(-1) : present;
      if (deployment === undefined || deployment.isBaseline || deployment.replaced !== null) return [];
      return deployment.kind === 'restart' ? [] : [{ deployment, present }];
    });
  }

  private pastOf(departure: LiveDeployment): Past<LiveDeployment> {
    const all = this.byFingerprint.get(departure.fingerprint) ?? [];
    return { all, run: runEndingWith(departure, all, ({ kind }) => kind === 'restart') };
  }

  private add(deployment: LiveDeployment): void {
    const own = this.byFingerprint.get(deployment.fingerprint) ?? [];
    this.byFingerprint.set(deployment.fingerprint, own);
    if (!own.includes(deployment)) own.push(deployment);
    this.lines.link([own.at(-2), deployment].flatMap((one) => one?.looks ?? []));
    this.byLine.add(deployment);
    if (deployment.end === null) this.running.add(deployment);
    if (!deployment.isFinal) this.pending.add(deployment);
  }

  private remove(deployment: LiveDeployment): void {
    const own = this.byFingerprint.get(deployment.fingerprint) ?? [];
    const others = own.filter((other) => other !== deployment);
    if (others.length > 0) this.byFingerprint.set(deployment.fingerprint, others);
    else this.byFingerprint.delete(deployment.fingerprint);
    this.byLine.remove(deployment);
    this.running.remove(deployment);
  }

  private clear(): void {
    for (const index of [this.byLine, this.running, this.pending]) index.clear();
    this.byFingerprint.clear();
    this.changedAt.clear();
  }
}

function lineOf({ looks }: LiveDeployment): Line {
  const look = looks.at(-1);
  if (look === undefined) throw new Error('a deployment has no appearance');
  return look.line;
}

function byStart(a: LiveDeployment, b: LiveDeployment): number {
  return a.start.snapshot - b.start.snapshot;
}

/** Makes a deployment of what runs on where a new history begins. */
function carryOver(deployment: LiveDeployment): void {
  const { deployedAt } = deployment;
  deployment.isBaseline = true;
  deployment.first = { snapshot: 0, deployedAt, isStartKnown: false, isBaseline: true };
  deployment.previousEnd = null;
  deployment.isFinal = true;
  deployment.isSettled = true;
}

/** Whether two lines are of one line with the same others. */
function isSameRelation(a: Line, b: Line | undefined): boolean {
  return a === b || (a.related.size === b?.related.size && [...a.related].every((line) => b.related.has(line)));
}
