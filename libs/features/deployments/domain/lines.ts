import {
  baseName,
  isSameLine,
  type LineArtifact,
  type Origin,
  templateOf,
} from '@assurance/environments/domain/artifact-line';
import { addTo } from '@assurance/kernel';
import type { Appearance } from './deployment';
import { isJob, isKnownWorkload, namespaceOf, type Workload, WORKLOADS_MAX } from './workloads';

/** The most lines of one base name, or of one template name, that are told apart. */
const LINES_MAX = 100;

/** What the rules compare of an artifact while it has one name, one set of workloads and one origin. */
export interface Look extends LineArtifact {
  readonly name: string;
  /** Known ones; null where none is known. */
  readonly workloads: readonly Workload[] | null;
  readonly hasOnlyJobs: boolean;
  readonly line: Line;
}

/** All looks that no rule of lines tells apart, and the others that are of one line with them. */
export interface Line {
  /** Unique among the lines of an environment. */
  readonly key: string;
  readonly artifact: LineArtifact;
  /** Null where no report named one. */
  readonly namespaces: readonly string[] | null;
  /** Includes the line itself, unless it has no name. */
  readonly related: Set<Line>;
  /** Other lines that artifacts of this one were of, too. */
  readonly linked: Set<Line>;
}

/** The lines of an environment. Lines that are equal are one object, so relations are computed once. */
export class Lines {
  private readonly lines = new Map<string, Line>();
  private readonly byName = new Map<string, Line[]>();
  private readonly byTemplate = new Map<string, Line[]>();

  lookOf({ names }: Appearance, origin: Origin | null): Look {
    const name = names[0]?.[0] ?? '';
    const own = names.length === 1 ? (names[0]?.[1] ?? []) : [...new Set(names.flatMap(([, own]) => own))].sort();
    const all = own.length > WORKLOADS_MAX ? [] : own;
    const known = all.filter(isKnownWorkload);
    const namespaces = [...new Set(all.flatMap((workload) => namespaceOf(workload) ?? []))];
    const artifact = { base: baseName(name), origin };
    return {
      ...artifact,
      name,
      workloads: known.length === 0 ? null : known,
      hasOnlyJobs: known.length > 0 && known.every(isJob),
      line: this.lineOf(artifact, namespaces.length === 0 ? null : namespaces),
    };
  }

  /** The lines that are connected with one, directly or through others. */
  groupOf(first: Line): ReadonlySet<Line> {
    const group = new Set([first]);
    // A set that grows while it is read yields what is added.
    for (const line of group) {
      for (const other of line.related) group.add(other);
      for (const other of line.linked) group.add(other);
    }
    return group;
  }

  /** Connects the lines of one artifact. */
  link([first, ...others]: readonly Look[]): void {
    for (const { line } of others) {
      if (first === undefined || line === first.line) continue;
      line.linked.add(first.line);
      first.line.linked.add(line);
    }
  }

  get size(): number {
    return this.lines.size;
  }

  all(): Iterable<Line> {
    return this.lines.values();
  }

  /** Forgets a line that no deployment is of. */
  remove(line: Line): void {
    this.lines.delete(line.key);
    const template = templateOf(line.artifact);
    removeFrom(this.byName, line.artifact.base, line);
    if (template !== null) removeFrom(this.byTemplate, template, line);
    for (const other of line.related) other.related.delete(line);
    for (const other of line.linked) other.linked.delete(line);
  }

  private lineOf(artifact: LineArtifact, namespaces: readonly string[] | null): Line {
    const key = JSON.stringify([artifact, namespaces]);
    const existing = this.lines.get(key);
    if (existing !== undefined) return existing;
    const template = templateOf(artifact);
    const named = this.byName.get(artifact.base) ?? [];
    const templated = template === null ? [] : (this.byTemplate.get(template) ?? []);
    const isKnown = artifact.origin !== null || namespaces !== null;
    if (isKnown && Math.max(named.length, templated.length) >= LINES_MAX)
      return this.lineOf({ base: artifact.base, origin: null }, null);
    const line: Line = { key, artifact, namespaces, related: new Set(), linked: new Set() };
    this.lines.set(key, line);
    addTo(this.byName, artifact.base, line);
    if (template !== null) addTo(this.byTemplate, template, line);
    for (const other of [line, ...named, ...templated]) {
      if (!isSameLine(artifact, other.artifact) || !share(namespaces, other.namespaces)) continue;
      line.related.add(other);
      other.related.add(line);
    }
    return line;
  }
}

function removeFrom(lists: Map<string, Line[]>, key: string, line: Line): void {
  const others = lists.get(key)?.filter((other) => other !== line) ?? [];
  if (others.length > 0) lists.set(key, others);
  else lists.delete(key);
}

/** Whether two sets have a member in common, or one of them is unknown. */
function share(a: readonly string[] | null, b: readonly string[] | null): boolean {
  return a === null || b === null || a.some((member) => b.includes(member));
}

export function isOneLine(a: Look, b: Look): boolean {
  return a.line.related.has(b.line);
}

/** Whether two artifacts have a known workload in common. */
export function shareWorkload(a: Look, b: Look): boolean {
  return a.workloads !== null && b.workloads !== null && share(a.workloads, b.workloads);
}

/** Whether two artifacts without a common workload are known to be different jobs, or one of them a job and the other something else. */
export function areOtherJobs(a: Look, b: Look): boolean {
  return a.workloads !== null && b.workloads !== null && (a.hasOnlyJobs || b.hasOnlyJobs);
}

/** Whether an artifact may be in a workload. Where its own are unknown, it may. */
export function mayBeIn({ workloads }: Look, workload: Workload): boolean {
  return workloads === null || workloads.includes(workload);
}
