import type { SnapshotRecorded } from '@assurance/contracts/environments/events';
import { keyOf } from '@assurance/contracts/events/streams';
import { isSameLine, type LineArtifact } from '@assurance/environments/domain/artifact-line';
import { deploymentKind, type Start, startedAfter } from '@assurance/environments/domain/deployment-kind';
import { matchReplacements } from '@assurance/environments/domain/replaced';
import { removeDuplicates } from '@assurance/event-sourcing/projection/batches';
import { documentMemory } from '@assurance/event-sourcing/projection/document-memory';
import type { RecordedEvent } from '@assurance/event-sourcing/projection/view';
import { type BytesCache, groupBy } from '@assurance/kernel';
import type { Documents } from '@assurance/storage-ports';
import { type FirstStartOf, isReturn } from './kinds';
import { lineArtifactOf } from './lines';
import { compareStarts } from './newest-starts';
import type { Origin } from './origin';
import { type DepartureRow, type DeploymentRow, deployments, rowId } from './rows';

/** The most starts of an environment that are kept, and the most rows of a snapshot that are decided from them. */
const STARTS_MAX = 32;

type KeptStart = Pick<DeploymentRow, 'snapshot' | 'deployedAt' | 'fingerprint' | 'base'>;

/** The newest starts of an environment, as this process wrote them. */
interface KeptStarts {
  /** All starts of snapshots from here on are among them. */
  readonly from: number;
  /** The newest snapshot that was written. */
  readonly to: number;
  /** Oldest snapshot first. */
  readonly starts: readonly KeptStart[];
}

/** Roughly the memory of a start (bytes): its names are those of rows of others. */
const START_BYTES = 300;
const keptStarts = documentMemory<KeptStarts>(({ starts }) => START_BYTES * (1 + starts.length));

/** The origin of a fingerprint; null without a report, undefined if this process does not know whether there is one. */
export type OriginOf = (fingerprint: string) => Origin | null | undefined;

/** What the kept starts decide of the rows of an environment. */
interface Decision {
  /** Returns with their kinds. */
  readonly returns: DeploymentRow[];
  /** Departures with the deployments that they complete. */
  readonly completions: DepartureRow[];
  /** The origins that decided, by fingerprint. */
  readonly origins: Map<string, Origin | null>;
}

/**
 * The newest starts of the environments of a batch. From them most kinds of returns and most pairs are known before the rows are written, so no
 * row has to be read. Each environment is forgotten while its rows are written, and kept again when all are there.
 */
export class RecentStarts {
  private readonly memory: BytesCache<KeptStarts>;
  private readonly environments = new Map<string, KeptStarts>();

  /** @param snapshots those of the batch */
  constructor(documents: Documents, snapshots: readonly RecordedEvent<SnapshotRecorded>[]) {
    this.memory = keptStarts(documents.collection(deployments));
    for (const { event, meta } of snapshots) {
      const [environment, { snapshot }] = [keyOf(meta.stream), event.data];
      const kept = this.environments.get(environment) ?? this.memory.get(environment);
      this.memory.delete(environment);
      // After a gap or a repetition nothing is known of the snapshots before.
      const isNext = kept?.to === snapshot - 1;
      this.environments.set(
        environment,
        isNext ? { ...kept, to: snapshot } : { from: snapshot, to: snapshot, starts: [] },
      );
    }
  }

  /** Keeps nothing of this batch: its rows are not decided together. */
  forget(): void {
    this.environments.clear();
  }

  /**
   * Decides the rows of one environment, and adds its starts.
   *
   * @returns null if rows decide that this process does not know
   */
  decide(
    environment: string,
    arrived: readonly DeploymentRow[],
    departed: readonly DepartureRow[],
    originOf: OriginOf,
    firstStartOf: FirstStartOf,
  ): Decision | null {
    const decision: Decision = { returns: [], completions: [], origins: new Map() };
    const come = groupBy(arrived, ({ snapshot }) => snapshot);
    const gone = groupBy(departed, ({ snapshot }) => snapshot);
    let isDecided = true;
    for (const snapshot of removeDuplicates([...come.keys(), ...gone.keys()]).sort((a, b) => a - b)) {
      const kept = this.environments.get(environment);
      if (kept === undefined) return null;
      const [own, left] = [come.get(snapshot) ?? [], gone.get(snapshot) ?? []];
      isDecided &&= new SnapshotRule(kept, own, left, originOf, firstStartOf).decide(decision);
      this.environments.set(environment, withStarts(kept, snapshot, own));
    }
    return isDecided ? decision : null;
  }

  /** Keeps the starts for the next batch. All rows of this one are written. */
  keep(): void {
    for (const [environment, kept] of this.environments) this.memory.set(environment, kept);
  }
}

/** Adds the starts of a snapshot. Drops the oldest snapshots if there are too many. */
function withStarts(kept: KeptStarts, snapshot: number, rows: readonly DeploymentRow[]): KeptStarts {
  if (snapshot < kept.from) return kept;
  const added = rows.map(({ deployedAt, fingerprint, base }) => ({ snapshot, deployedAt, fingerprint, base }));
  const starts = [...kept.starts, ...added];
  const oldest = starts.at(-STARTS_MAX - 1);
  if (oldest === undefined) return { ...kept, starts };
  return { ...kept, from: oldest.snapshot + 1, starts: starts.filter((start) => start.snapshot > oldest.snapshot) };
}

/** Decides the rows of one snapshot from the starts before it. */
class SnapshotRule {
  /** The origins that were asked for. */
  private readonly origins = new Map<string, Origin | null | undefined>();

  constructor(
    private readonly kept: KeptStarts,
    private readonly come: readonly DeploymentRow[],
    private readonly gone: readonly DepartureRow[],
    private readonly originOf: OriginOf,
    private readonly firstStartOf: FirstStartOf,
  ) {}

  /** @returns false if other rows decide */
  decide({ returns, completions, origins }: Decision): boolean {
    if (this.come.length + this.gone.length > STARTS_MAX) return false;
    for (const row of this.come) {
      if (!isReturn(row)) continue;
      const kind = this.kindOf(row);
      if (kind === null) return false;
      returns.push({ ...row, kind });
    }
    const pairs = this.pairs();
    if (pairs === null) return false;
    for (const [departure, { environment, fingerprint }] of pairs) {
      completions.push({ ...departure, completes: rowId(environment, departure.snapshot, fingerprint) });
    }
    for (const [fingerprint, origin] of this.origins) {
      if (origin === undefined) return false;
      origins.set(fingerprint, origin);
    }
    return true;
  }

  /** The kind of a return: by the other artifact of its line that started last since it started itself. Null if that is not known. */
  private kindOf(row: DeploymentRow): DeploymentRow['kind'] | null {
    const last = this.kept.starts.findLast(({ fingerprint }) => fingerprint === row.fingerprint);
    const first = this.firstStartOf(row);
    if (last === undefined || first === undefined) return null;
    const [newest, next] = this.startsOfOthers(row, last);
    if (newest === undefined) return deploymentKind(false, { first, last }, null);
    const firstOther = this.firstStartOf({ ...newest, environment: row.environment });
    // Where two started last, their names decide.
    if (firstOther === undefined || (next !== undefined && !startedAfter(newest, next))) return null;
    return deploymentKind(false, { first, last }, { first: firstOther, last: newest });
  }

  /** Which deployment of this snapshot each departure completes. Null if one may complete an earlier deployment, or if starts decide between two. */
  private pairs(): ReadonlyMap<DepartureRow, DeploymentRow> | null {
    const arrivals = this.come.toSorted(compareStarts).map((row) => ({ row, ...this.line(row) }));
    const departures = this.gone.map((row) => ({ row, ...this.line(row) }));
    if (arrivals.some((arrival) => departures.filter((one) => isSameLine(one, arrival)).length > 1)) return null;
    const replacements = matchReplacements(departures, arrivals);
    for (const departure of departures) {
      if (replacements.has(departure)) continue;
      const { fingerprint, since } = departure.row;
      const start = this.kept.starts.find((one) => one.fingerprint === fingerprint && one.snapshot === since);
      if (start === undefined || this.startsOfOthers(departure.row, start).length > 0) return null;
    }
    return new Map([...replacements].map(([departure, arrival]) => [departure.row, arrival.row]));
  }

  /** Starts of other artifacts of the line of a row that came after a start, newest first. */
  private startsOfOthers(row: Pick<DeploymentRow, 'fingerprint' | 'base'>, start: Start): KeptStart[] {
    const self = this.line(row);
    const others: KeptStart[] = [];
    const { starts } = this.kept;
    for (let i = starts.length - 1; i >= 0; i -= 1) {
      const other = starts[i];
      if (other === undefined || other.snapshot < start.snapshot) break;
      if (other.fingerprint === row.fingerprint || !startedAfter(other, start)) continue;
      if (isSameLine(this.line(other), self)) others.push(other);
    }
    return others.sort(compareStarts);
  }

  private line({ fingerprint, base }: Pick<DeploymentRow, 'fingerprint' | 'base'>): LineArtifact {
    const origin = this.originOf(fingerprint);
    this.origins.set(fingerprint, origin);
    return lineArtifactOf({ base, origin: origin ?? null });
  }
}
