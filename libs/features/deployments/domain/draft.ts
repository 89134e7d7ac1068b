import type { DeploymentKind } from '@assurance/contracts/environments/events';
import { addTo } from '@assurance/kernel';
import type { Candidate } from './decide';
import type { Appearance, DeploymentId, FirstRun, Moment } from './deployment';
import type { Line, Look } from './lines';

/** A deployment that may still decide something, with what is decided of it so far. */
export interface LiveDeployment extends Candidate {
  isBaseline: boolean;
  first: FirstRun;
  previousEnd: Moment | null;
  end: Moment | null;
  appearances: readonly Appearance[];
  looks: readonly Look[];
  runSince: number;
  kind: DeploymentKind;
  /** Whether no later report changes its kind. */
  isFinal: boolean;
  /** When something of its group last came, left or moved since it started (milliseconds). */
  changedAt: number;
  /** The departed deployment that it replaced. */
  replaced: DeploymentId | null;
  completed: DeploymentId | null;
  isSettled: boolean;
  isDepartureSettled: boolean;
}

/** A result that changed after it was decided. */
export interface Revision {
  readonly deployment: LiveDeployment;
  readonly before: { readonly kind: DeploymentKind; readonly replaced: DeploymentId | null };
}

/** What a snapshot changes. */
export interface SnapshotResult {
  readonly started: readonly LiveDeployment[];
  readonly departed: readonly LiveDeployment[];
  /** Earlier deployments with another kind or another replaced one. */
  readonly revised: readonly Revision[];
  /** Deployments that decide nothing any more, of these and of earlier ones. */
  readonly over: ReadonlySet<LiveDeployment>;
  /** Earlier deployments with other names or workloads, or with a kind that is final now. */
  readonly touched: readonly LiveDeployment[];
  /** Deployments whose kinds are not final, in groups of which something came, left or moved. */
  readonly pending: readonly LiveDeployment[];
}

/** What a snapshot changes, while it is decided. */
export class Draft {
  readonly lines = new Set<Line>();
  readonly started = new Set<LiveDeployment>();
  readonly departed = new Set<LiveDeployment>();
  readonly touched = new Set<LiveDeployment>();
  readonly pending = new Set<LiveDeployment>();
  /** Deployments with a kind that is final now. */
  readonly finals = new Set<LiveDeployment>();
  readonly over = new Set<LiveDeployment>();
  private readonly steps: (() => void)[] = [];
  private done = 0;
  private readonly startedByLine = new Map<Line, LiveDeployment[]>();
  private readonly departedByLine = new Map<Line, LiveDeployment[]>();
  private readonly revisions = new Map<LiveDeployment, Revision>();

  constructor(readonly moment: Moment) {}

  /** Adds a step after all others. */
  plan(step: () => void): void {
    this.steps.push(step);
  }

  /** Does the next step. @returns false if there was none */
  step(): boolean {
    const step = this.steps[this.done];
    this.done += 1;
    step?.();
    return step !== undefined;
  }

  addStarted(deployment: LiveDeployment, line: Line): void {
    this.lines.add(line);
    this.started.add(deployment);
    addTo(this.startedByLine, line, deployment);
  }

  addDeparted(deployment: LiveDeployment, line: Line): void {
    this.lines.add(line);
    this.departed.add(deployment);
    addTo(this.departedByLine, line, deployment);
  }

  startedOf(line: Line): readonly LiveDeployment[] {
    return this.startedByLine.get(line) ?? [];
  }

  departedOf(line: Line): readonly LiveDeployment[] {
    return this.departedByLine.get(line) ?? [];
  }

  /** A deployment of which the caller changes a result. */
  revise(deployment: LiveDeployment): LiveDeployment {
    const { kind, replaced } = deployment;
    if (!this.revisions.has(deployment)) this.revisions.set(deployment, { deployment, before: { kind, replaced } });
    return deployment;
  }

  result(): SnapshotResult {
    const isRevised = ({ deployment: { kind, replaced }, before }: Revision) =>
      kind !== before.kind || replaced !== before.replaced;
    return {
      started: [...this.started],
      departed: [...this.departed],
      revised: [...this.revisions.values()].filter((one) => !this.started.has(one.deployment) && isRevised(one)),
      pending: [...this.pending],
      over: this.over,
      touched: [...this.touched].filter(
        (one) => !this.started.has(one) && (!this.departed.has(one) || this.finals.has(one)),
      ),
    };
  }
}
