import { addTo } from '@assurance/kernel';
import { runEndingWith } from './decide';
import type { LiveDeployment } from './draft';
import { LineIndex } from './line-index';
import { type Line, Lines } from './lines';
import type { Past } from './pairs';

/** The deployments of an environment that may still decide something, and their lines. */
export class LiveDeployments {
  readonly lines = new Lines();
  readonly byFingerprint = new Map<string, LiveDeployment[]>();
  readonly byLine = new LineIndex<LiveDeployment>();
  readonly running = new LineIndex<LiveDeployment>();
  /** Returns whose kinds are not final. */
  readonly pending = new LineIndex<LiveDeployment>();
  /** When something of a line last came, left or moved (milliseconds). */
  readonly changedAt = new Map<Line, number>();
  add(deployment: LiveDeployment): void {
    addTo(this.byFingerprint, deployment.fingerprint, deployment);
    const own = this.byFingerprint.get(deployment.fingerprint);
    this.lines.link([own?.at(-2), deployment].flatMap((one) => one?.looks ?? []));
    this.byLine.add(deployment);
    if (deployment.end === null) this.running.add(deployment);
    if (!deployment.isFinal) this.pending.add(deployment);
  }

  remove(deployment: LiveDeployment): void {
    this.removeAll([deployment]);
  }

  removeAll(deployments: Iterable<LiveDeployment>): void {
    const removed = new Set(deployments);
    for (const fingerprint of new Set([...removed].map(({ fingerprint }) => fingerprint))) {
      const others = this.byFingerprint.get(fingerprint)?.filter((other) => !removed.has(other)) ?? [];
      if (others.length > 0) this.byFingerprint.set(fingerprint, others);
      else this.byFingerprint.delete(fingerprint);
    }
    for (const deployment of removed) {
      this.byLine.remove(deployment);
      this.running.remove(deployment);
    }
  }

  clear(): void {
    for (const index of [this.byLine, this.running, this.pending]) index.clear();
    this.byFingerprint.clear();
    this.changedAt.clear();
  }

  runningOf(fingerprint: string): LiveDeployment | undefined {
    const last = this.byFingerprint.get(fingerprint)?.at(-1);
    return last?.end === null ? last : undefined;
  }

  pastOf(departure: LiveDeployment): Past<LiveDeployment> {
    const all = this.byFingerprint.get(departure.fingerprint) ?? [];
    return { all, run: runEndingWith(departure, all, ({ kind }) => kind === 'restart') };
  }
}

export function byStart(a: LiveDeployment, b: LiveDeployment): number {
  return a.start.snapshot - b.start.snapshot;
}
