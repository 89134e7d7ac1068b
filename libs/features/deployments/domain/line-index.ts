import { getOrInsert } from '@assurance/kernel';
import type { Line, Look } from './lines';

/** Deployments by the lines that they were of. */
export class LineIndex<T extends { readonly looks: readonly Look[] }> {
  private readonly byLine = new Map<Line, Set<T>>();
  private readonly all = new Set<T>();

  get size(): number {
    return this.all.size;
  }

  add(deployment: T): void {
    this.all.add(deployment);
    for (const { line } of deployment.looks) getOrInsert(this.byLine, line, () => new Set()).add(deployment);
  }

  remove(deployment: T): void {
    if (!this.all.delete(deployment)) return;
    for (const { line } of deployment.looks) {
      const own = this.byLine.get(line);
      own?.delete(deployment);
      if (own?.size === 0) this.byLine.delete(line);
    }
  }

  /** Moves a deployment to the lines of other looks, which it gets afterwards. */
  replace(deployment: T, looks: readonly Look[]): void {
    if (!this.all.has(deployment)) return;
    this.remove(deployment);
    this.all.add(deployment);
    for (const { line } of looks) getOrInsert(this.byLine, line, () => new Set()).add(deployment);
  }

  /** The deployments of some lines, each once. */
  of(lines: Iterable<Line>): T[] {
    const [found, seen] = [[] as T[], new Set<T>()];
    for (const line of lines) {
      for (const deployment of this.byLine.get(line) ?? []) {
        if (deployment.looks.length > 1 && seen.has(deployment)) continue;
        if (deployment.looks.length > 1) seen.add(deployment);
        found.push(deployment);
      }
    }
    return found;
  }

  /** How many deployments some lines have. One that was of several lines counts for each. */
  count(lines: Iterable<Line>): number {
    let count = 0;
    for (const line of lines) count += this.byLine.get(line)?.size ?? 0;
    return count;
  }

  some(lines: Iterable<Line>, holds: (deployment: T) => boolean): boolean {
    for (const line of lines) for (const deployment of this.byLine.get(line) ?? []) if (holds(deployment)) return true;
    return false;
  }

  clear(): void {
    this.byLine.clear();
    this.all.clear();
  }
}
