import type { Origin } from '@assurance/environments/domain/artifact-line';
import { type Candidate, decideGroup } from './decide';
import { DAY, deploymentId, type DeploymentId, type FirstRun, type Moment } from './deployment';
import { Draft, type LiveDeployment, type SnapshotResult } from './draft';
import type { Line } from './lines';
import { byStart, LiveDeployments } from './live-deployments';
import { type ArtifactSnapshot, isSameNames, type NameChange, type StartedArtifact } from './names';
import { matchDepartures, matchInOrder, type OpenDeployment } from './pairs';
import { ranBeside, settle } from './settle';
import { forgetOldest, trimGroup } from './trim';

/** The most deployments of a group of which all are compared with all. */
const GROUP_MAX = 200;
/** The most names and workloads that are kept of a deployment. */
const APPEARANCES_MAX = 20;
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
  private readonly live = new LiveDeployments();
  private sizeAfterTrim = 0;

  /** The name of an artifact's newest deployment; null if none of it may still decide something. */
  nameOf(fingerprint: string): string | null {
    return this.live.byFingerprint.get(fingerprint)?.at(-1)?.looks.at(-1)?.name ?? null;
  }

  /** Whether a deployment of an artifact may still decide something. */
  hasLive(fingerprint: string): boolean {
    return this.live.byFingerprint.has(fingerprint);
  }

  /** How many deployments it keeps. */
  get size(): number {
    return this.live.byLine.size;
  }

  get lineCount(): number {
    return this.live.lines.size;
  }

  /** Applies a snapshot, and decides what it changes. */
  apply(snapshot: ArtifactSnapshot, facts: SnapshotFacts): SnapshotResult {
    const draft = this.begin(snapshot, facts);
    while (draft.step());
    return draft.result();
  }

  /** Begins to apply a snapshot. The caller does the steps of the draft, each of which takes bounded time, before it uses the history again. */
  begin(snapshot: ArtifactSnapshot, facts: SnapshotFacts): Draft {
    const { at, isBaseline, isAfresh, started, departed, renamed } = snapshot;
    const draft = new Draft({ snapshot: snapshot.snapshot, at });
    if (isAfresh) this.live.clear();
    else if (isBaseline) this.revive(draft);
    for (const [fingerprint, change] of renamed) draft.plan(() => this.move(fingerprint, change, draft));
    for (const fingerprint of departed) draft.plan(() => this.end(fingerprint, draft));
    // The first report of a new history does not have them: they never ran in it.
    if (isBaseline) draft.plan(() => this.live.removeAll(draft.departed));
    for (const artifact of started) draft.plan(() => this.start(artifact(), isBaseline, facts, draft));
    draft.plan(() => {
      this.planGroups(draft.lines, draft, (group) => this.decide(group, draft));
      draft.plan(() => this.planTrim(draft));
    });
    return draft;
  }

  /** Plans a step for each group of connected lines that some lines belong to. */
  private planGroups(lines: Iterable<Line>, draft: Draft, step: (group: ReadonlySet<Line>) => void): void {
    const seen = new Set<Line>();
    for (const first of lines) {
      if (seen.has(first)) continue;
      const group = this.live.lines.groupOf(first);
      for (const line of group) seen.add(line);
      draft.plan(() => step(group));
    }
  }

  /**
   * Takes another origin of an artifact.
   *
   * @returns false if its lines are others now, so that deployments have to be decided again
   */
  changeOrigin(fingerprint: string, origin: Origin | null): boolean {
    let isSame = true;
    for (const deployment of [...(this.live.byFingerprint.get(fingerprint) ?? [])]) {
      const looks = deployment.appearances.map((appearance) => this.live.lines.lookOf(appearance, origin));
      isSame &&= looks.every(({ line }, i) => isSameRelation(line, deployment.looks[i]?.line));
      for (const index of [this.live.byLine, this.live.running, this.live.pending]) index.replace(deployment, looks);
      deployment.looks = looks;
    }
    return isSame;
  }

  /** Begins a new history. What runs goes on, and nothing of it was seen to start. */
  private revive(draft: Draft): void {
    const running = [...this.live.byFingerprint.values()].flatMap((all) => all.filter(({ end }) => end === null));
    this.live.clear();
    for (const deployment of running) {
      draft.plan(() => {
        carryOver(deployment);
        this.live.add(deployment);
      });
    }
  }

  private move(fingerprint: string, change: NameChange, draft: Draft): void {
    const deployment = this.live.runningOf(fingerprint);
    const [last, look] = [deployment?.appearances.at(-1), deployment?.looks.at(-1)];
    if (deployment === undefined || last === undefined || look === undefined) return;
    const names = change(last.names);
    if (isSameNames(last.names, names)) return;
    const appearance = { from: draft.moment, names };
    const next = this.live.lines.lookOf(appearance, look.origin);
    draft.lines.add(look.line);
    draft.lines.add(next.line);
    this.live.remove(deployment);
    // The first one has the name of the deployment.
    const place = deployment.looks.length < APPEARANCES_MAX ? deployment.looks.length : 1;
    deployment.appearances = [...withoutPlace(deployment.appearances, place), appearance];
    deployment.looks = [...withoutPlace(deployment.looks, place), next];
    this.live.add(deployment);
    draft.touched.add(deployment);
  }

  private end(fingerprint: string, draft: Draft): void {
    const deployment = this.live.runningOf(fingerprint);
    if (deployment === undefined) return;
    deployment.end = draft.moment;
    this.live.running.remove(deployment);
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
    const look = this.live.lines.lookOf(appearance, facts.originOf(fingerprint));
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
    this.live.add(deployment);
  }

  private earlierRuns(fingerprint: string): EarlierRuns | null {
    const last = this.live.byFingerprint.get(fingerprint)?.at(-1);
    return last === undefined || last.end === null ? null : { first: last.first, lastEnd: last.end };
  }

  /** Decides the group of some connected lines, after what came and left is known. */
  private decide(lines: ReadonlySet<Line>, draft: Draft): void {
    this.pass(lines, draft);
    if (this.isLarge(lines)) {
      this.decideLarge(lines, draft);
      return;
    }
    const isReturn = ({ previousEnd }: LiveDeployment) => previousEnd !== null;
    const started = [...lines].flatMap((line) => draft.startedOf(line));
    const departed = [...lines].flatMap((line) => draft.departedOf(line));
    const returned = started.filter(isReturn);
    const all = this.live.byLine.of(lines);
    const firstEnd = returned.reduce((least, { previousEnd }) => Math.min(least, previousEnd?.snapshot ?? 0), Infinity);
    const others = all.filter(({ end }) => (end?.snapshot ?? Infinity) > firstEnd);
    for (const deployment of returned) this.startReturn(deployment, others, draft);
    // What returns as a restart takes back what its departure completed.
    const isPlain = (deployment: LiveDeployment) =>
      deployment.isSettled && (this.live.byFingerprint.get(deployment.fingerprint)?.at(-2)?.completed ?? null) === null;
    if (returned.every(isPlain) && !this.live.pending.some(lines, ({ isSettled }) => !isSettled)) {
      const pairs = matchDepartures(departed, this.openOf(lines), (departure) => this.live.pastOf(departure));
      for (const [departure, deployment] of pairs) this.pair(departure, deployment, draft);
      return;
    }
    all.sort(byStart);
    const { kinds, completed } = decideGroup(all);
    this.applyPairs(all, completed, draft);
    for (const [deployment, kind] of kinds) {
      if (kind === deployment.kind) continue;
      draft.revise(deployment as LiveDeployment).kind = kind;
    }
  }

  private isLarge(lines: ReadonlySet<Line>): boolean {
    return this.live.byLine.count(lines) > GROUP_MAX;
  }

  /** Decides a group that is too large to compare all with all: returns are restarts, departures pair within their line in the order of starts. */
  private decideLarge(lines: ReadonlySet<Line>, draft: Draft): void {
    for (const deployment of this.live.pending.of(lines)) this.finish(deployment, draft);
    const departed = [...lines].flatMap((line) => draft.departedOf(line));
    const open = departed.length === 0 ? [] : this.openOf(lines).map(({ deployment }) => deployment);
    for (const [departure, deployment] of matchInOrder(departed, open)) this.pair(departure, deployment, draft);
    const all = this.live.byLine.of(lines);
    settle(all, Infinity);
    if (all.length > 2 * this.live.running.count(lines)) draft.plan(() => trimGroup(this.live, lines, draft, true));
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
    this.live.pending.add(deployment);
    draft.pending.add(deployment);
  }

  /** Notes a change of a group. What came before a quiet day is final and settled. */
  private pass(lines: ReadonlySet<Line>, draft: Draft): void {
    const { moment, pending } = draft;
    const all = this.live.pending.of(lines);
    for (const [i, deployment] of all.entries()) {
      if (moment.at - deployment.changedAt > DAY || i < all.length - GROUP_MAX) this.finish(deployment, draft);
      else {
        deployment.changedAt = moment.at;
        pending.add(deployment);
      }
    }
    let last = -Infinity;
    for (const line of lines) {
      last = Math.max(last, this.live.changedAt.get(line) ?? -Infinity);
      this.live.changedAt.set(line, moment.at);
    }
    if (moment.at - last > DAY) settle(this.live.byLine.of(lines), last + 1);
  }

  private finish(deployment: LiveDeployment, { touched, finals }: Draft): void {
    deployment.isFinal = true;
    this.live.pending.remove(deployment);
    touched.add(deployment);
    finals.add(deployment);
  }

  private planTrim(draft: Draft): void {
    if (this.live.byLine.size <= 2 * this.sizeAfterTrim + TRIM_MIN) return;
    this.planGroups(this.live.lines.all(), draft, (group) => trimGroup(this.live, group, draft, this.isLarge(group)));
    draft.plan(() => {
      forgetOldest(this.live, this.live.byFingerprint.values(), draft);
      for (const line of this.live.lines.all()) {
        if (this.live.byLine.count([line]) + this.live.pending.count([line]) > 0) continue;
        this.live.lines.remove(line);
        this.live.changedAt.delete(line);
      }
      this.sizeAfterTrim = this.live.byLine.size;
    });
  }

  /** The deployments of some lines that may complete a departure, where all returns are decided. */
  private openOf(lines: ReadonlySet<Line>): OpenDeployment<LiveDeployment>[] {
    return this.live.running.of(lines).flatMap((present) => {
      const deployment = present.kind === 'restart' ? this.live.pastOf(present).run.at(-1) : present;
      if (deployment === undefined || deployment.isBaseline || deployment.replaced !== null) return [];
      return deployment.kind === 'restart' ? [] : [{ deployment, present }];
    });
  }
}

function lineOf({ looks }: LiveDeployment): Line {
  const look = looks.at(-1);
  if (look === undefined) throw new Error('a deployment has no appearance');
  return look.line;
}

function withoutPlace<T>(list: readonly T[], place: number): readonly T[] {
  return list.filter((_, i) => i !== place);
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
