import { componentsView } from '@assurance/components/read/components/follow';
import type { KnownSbom } from '@assurance/components/read/components/rows';
import type { Run } from '@assurance/components/read/components/runs';
import { artifactsIn } from '@assurance/components/read/components/without-sbom';
import { LocatedArtifacts } from '@assurance/components/read/located-artifacts';
import type { Environment } from '@assurance/contracts/environments/documents';
import type { DatedBucket } from '@assurance/deployments/read/buckets';
import { environmentsById } from '@assurance/environments/lookups/environments';
import { snapshotAt } from '@assurance/environments/read/snapshots/resolve';
import { type ViewAnswer, Views } from '@assurance/event-sourcing/projection/views';
import { PORTS, type Ports } from '@assurance/event-sourcing/tokens';
import type { Caller } from '@assurance/http/query-caller';
import { pieces, Slices } from '@assurance/kernel';
import { Inject, Injectable } from '@nestjs/common';
import { type DayEnds, daysOf } from './exposed-days';

const PAGE = 1_000;
/**
 * The most artifacts that ran on the days of one query, and the most parts of component lists that it marks. Of artifacts that ran on other days, it
 * keeps only a page in memory.
 */
export const EXPOSURE_MAX: Readonly<Record<'artifacts' | 'parts', number>> = { artifacts: 100_000, parts: 250_000 };

type KnownComponents = Pick<KnownSbom, 'sbom' | 'unmatched'>;

/** The artifacts that ran on some days or run now, by fingerprint. */
export interface ExposedArtifacts {
  /** As `daysOf` returns them. */
  readonly days: ReadonlyMap<string, bigint>;
  /** What is known of the components of each artifact. */
  readonly states: ReadonlyMap<string, KnownComponents>;
}

/** The fingerprint of an artifact with more starts than one query may read. Starts of all time count, so that fewer days do not help. */
interface TooManyStarts {
  readonly startedTooOften: string;
}
type LimitRefusal = 'too-many' | TooManyStarts;

/** Finds the artifacts that ran in environments on some days. */
@Injectable()
export class ArtifactsOnDays {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    private readonly views: Views,
    private readonly locatedArtifacts: LocatedArtifacts,
  ) {}

  /**
   * Reads the artifacts that ever ran in these environments, a page at a time. It reads nothing about other environments.
   *
   * @param places ids of the environments
   * @param days oldest first
   * @returns `too-many` beyond 100,000 artifacts on these days, or the fingerprint of an artifact that started more than a million times
   */
  async ran(
    caller: Caller,
    places: readonly string[],
    days: readonly DatedBucket[],
  ): Promise<ViewAnswer<ExposedArtifacts> | LimitRefusal> {
    const [marks, states] = [new Map<string, bigint>(), new Map<string, KnownComponents>()];
    // Most artifacts ran on the same days as others, so they share one value.
    const sharedDays = new Map<bigint, bigint>();
    const slices = new Slices();
    let behind = 0;
    for (const environment of (await environmentsById(this.ports.documents, places)).values()) {
      const ends = new Map([[environment.id, await this.endsOf(environment, days)]]);
      const read = await this.views.read(componentsView, caller, async (documents) => {
        for await (const page of artifactsIn(documents, { kind: 'environment', id: environment.id })) {
          const sboms = new Map(page.map(({ fingerprint, sbom, unmatched }) => [fingerprint, { sbom, unmatched }]));
          const mark = async (fingerprint: string, runs: readonly Run[]) => {
            let bits = marks.get(fingerprint) ?? 0n;
            for (const group of pieces(runs, PAGE)) {
              await slices.pause();
              bits |= daysOf(group, ends);
            }
            if (bits === 0n) return;
            if (!sharedDays.has(bits)) sharedDays.set(bits, bits);
            marks.set(fingerprint, sharedDays.get(bits) ?? bits);
            const known = sboms.get(fingerprint);
            if (known !== undefined) states.set(fingerprint, known);
          };
          const runs = await this.readRuns(caller, [...sboms.keys()], environment.id, mark);
          if ('startedTooOften' in runs) return runs;
          if (marks.size > EXPOSURE_MAX.artifacts) return 'too-many';
          behind = Math.max(behind, runs.behind);
        }
        return null;
      });
      if (read.value !== null) return read.value;
      behind = Math.max(behind, read.behind);
    }
    return { value: { days: marks, states }, behind };
  }

  /** Reads the runs of artifacts in an environment. If they are too many together, it reads the runs of half of the artifacts at a time. */
  private async readRuns(
    caller: Caller,
    fingerprints: readonly string[],
    environment: string,
    take: (fingerprint: string, runs: readonly Run[]) => Promise<void>,
  ): Promise<{ readonly behind: number } | TooManyStarts> {
    const runs = await this.locatedArtifacts.runsIn(caller, fingerprints, [environment], null);
    if (runs !== 'too-many') {
      for (const [fingerprint, own] of runs.value) await take(fingerprint, own);
      return runs;
    }
    const [first = '', ...others] = fingerprints;
    if (others.length === 0) return { startedTooOften: first };
    let behind = 0;
    for (const half of pieces(fingerprints, Math.ceil(fingerprints.length / 2))) {
      const read = await this.readRuns(caller, half, environment, take);
      if ('startedTooOften' in read) return read;
      behind = Math.max(behind, read.behind);
    }
    return { behind };
  }

  private async endsOf(environment: Environment, days: readonly DatedBucket[]): Promise<readonly DayEnds[]> {
    const times = days.flatMap(({ from, to }) => [from * 1_000, to * 1_000 - 1]);
    const inForce = await snapshotsAt(times, (at) => snapshotAt(this.ports.events, environment, at));
    return days.map((_, day) => ({ first: inForce[2 * day] ?? 0, last: inForce[2 * day + 1] ?? 0 }));
  }
}

/** Returns the snapshots in force at some ascending times. If two times have the same snapshot, it reads nothing for the times between them. */
async function snapshotsAt(
  times: readonly number[],
  snapshotIn: (at: number) => Promise<number>,
): Promise<readonly number[]> {
  const last = times.length - 1;
  const inForce = new Map<number, number>();
  for (const end of [0, last]) inForce.set(end, await snapshotIn(times[end] ?? 0));
  const ranges: (readonly [low: number, high: number])[] = [[0, last]];
  for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
    const [low, high] = range;
    if (high - low < 2) continue;
    const [before, after] = [inForce.get(low) ?? 0, inForce.get(high) ?? 0];
    const middle = Math.floor((low + high) / 2);
    inForce.set(middle, before === after ? before : await snapshotIn(times[middle] ?? 0));
    ranges.push([low, middle], [middle, high]);
  }
  return times.map((_, at) => inForce.get(at) ?? 0);
}
