import {
  baseName,
  isSameLine,
  type LineArtifact,
  type Origin,
  templateOf,
} from '@assurance/environments/domain/artifact-line';
import { getOrInsert } from '@assurance/kernel';
import type { Appearance } from './deployment';
import { isJob, isKnownWorkload, namespaceOf, type Workload } from './workloads';

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
    const all = names.length === 1 ? (names[0]?.[1] ?? []) : [...new Set(names.flatMap(([, own]) => own))].sort();
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

  /** The groups of connected lines, directly or through others, that some lines belong to. */
  *components(lines: Iterable<Line>): Generator<ReadonlySet<Line>> {
    const seen = new Set<Line>();
    for (const first of lines) {
      if (seen.has(first)) continue;
      const group = new Set([first]);
      // A set that grows while it is read yields what is added.
      for (const line of group) {
        seen.add(line);
        for (const other of line.related) group.add(other);
        for (const other of line.linked) group.add(other);
      }
      yield group;
    }
  }

  /** Connects the lines of one artifact. */
  link([first, ...others]: readonly Look[]): void {
    for (const { line } of others) {
      if (first === undefined || line === first.line) continue;
      line.linked.add(first.line);
      first.line.linked.add(line);
    }
  }

  all(): Iterable<Line> {
    return this.lines.values();
  }

  private lineOf(artifact: LineArtifact, namespaces: readonly string[] | null): Line {
    return getOrInsert(this.lines, JSON.stringify([artifact, namespaces]), () => {
      const line: Line = { artifact, namespaces, related: new Set(), linked: new Set() };
      const template = templateOf(artifact);
      const named = getOrInsert(this.byName, artifact.base, () => []);
      const templated = template === null ? [] : getOrInsert(this.byTemplate, template, () => []);
      named.push(line);
      if (template !== null) templated.push(line);
      for (const other of [...named, ...templated]) {
        if (!isSameLine(artifact, other.artifact) || !share(namespaces, other.namespaces)) continue;
        line.related.add(other);
        other.related.add(line);
      }
      return line;
    });
  }
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
