import type { Outcome, Running } from '@assurance/contracts/environments/documents';

/**
 * Running artifacts as one list for each field. Caches use this form, because it is small: without their texts, 10,000 artifacts need
 * 0.6 MB as lists and 1.9 MB as objects.
 */
export class CompactRunning {
  private constructor(
    private readonly fingerprints: readonly string[],
    private readonly names: readonly string[],
    /** A number: the creation time of the only instance. */
    private readonly instances: readonly (number | readonly number[])[],
    private readonly snapshots: readonly number[],
    private readonly times: readonly number[],
    private readonly deploymentTimes: readonly number[],
    private readonly provenanceCounts: readonly number[],
    /** Null if no artifact is judged. */
    private readonly outcomes: readonly (Outcome | undefined)[] | null,
    /** Null if no artifact started under another name. */
    private readonly startedAs: readonly Running['startedAs'][] | null,
    /** Null if no instance has details. */
    private readonly contextsKeys: readonly Running['contextsKey'][] | null,
  ) {}

  static of(all: readonly Running[]): CompactRunning {
    const fingerprints = all.map(({ fingerprint }) => fingerprint);
    const names = all.map(({ name }) => name);
    const instances = all.map(({ instances }) => (instances.length === 1 ? (instances[0] ?? instances) : instances));
    const snapshots = all.map(({ since }) => since.snapshot);
    const times = all.map(({ since }) => since.at);
    const deploymentTimes = all.map(({ since }) => since.deployedAt);
    const knownCounts = all.map((artifact) => artifact.known);
    const outcomes = listOf(all, (artifact) => artifact.judged);
    const startedAs = listOf(all, (artifact) => artifact.startedAs);
    const contextsKeys = listOf(all, (artifact) => artifact.contextsKey);
    return new CompactRunning(
      fingerprints,
      names,
      instances,
      snapshots,
      times,
      deploymentTimes,
      knownCounts,
      outcomes,
      startedAs,
      contextsKeys,
    );
  }

  /** Artifacts equal to the original ones, in the same order. */
  artifacts(): Running[] {
    return this.fingerprints.map((_, i) => this.at(i));
  }

  /** Estimates their size in bytes, as if they shared no text. */
  get bytes(): number {
    let bytes = 0;
    for (let i = 0; i < this.names.length; i += 1) {
      const [times, judged] = [this.instances[i], this.outcomes?.[i]];
      bytes += 170 + (this.names[i]?.length ?? 0) + (typeof times === 'object' ? 40 + 8 * times.length : 0);
      bytes += judged === undefined ? 0 : 80 + 100 * judged.failing.length;
      bytes += 60 * (this.startedAs?.[i]?.length ?? 0) + (this.contextsKeys?.[i] === undefined ? 0 : 40);
    }
    return bytes;
  }

  private at(i: number): Running {
    const times = this.instances[i] as number | readonly number[];
    const [judged, startedAs, contextsKey] = [this.outcomes?.[i], this.startedAs?.[i], this.contextsKeys?.[i]];
    return {
      fingerprint: this.fingerprints[i] as string,
      name: this.names[i] as string,
      instances: typeof times === 'number' ? [times] : times,
      since: {
        snapshot: this.snapshots[i] as number,
        at: this.times[i] as number,
        deployedAt: this.deploymentTimes[i] as number,
      },
      known: this.provenanceCounts[i] as number,
      ...(judged === undefined ? {} : { judged }),
      ...(startedAs === undefined ? {} : { startedAs }),
      ...(contextsKey === undefined ? {} : { contextsKey }),
    };
  }
}

/** One field of every artifact; null if no artifact has the field. */
function listOf<T>(all: readonly Running[], field: (artifact: Running) => T | undefined): (T | undefined)[] | null {
  return all.some((artifact) => field(artifact) !== undefined) ? all.map(field) : null;
}
