import type { RetentionEvent } from '@assurance/contracts/audit/events';
import type { CollectionDefinition } from '@assurance/storage-ports';

/** How long dropped data stays readable for packages that began before the drop (milliseconds). */
export const READ_GRACE_MS = 3_600_000;

/** A period in which data was recorded (integer milliseconds, without the end). */
export interface Span {
  readonly from: number;
  readonly before: number;
}

/** The progress of the removal that retention events require. */
export interface RemovalProgress {
  /** Seq of the last of these events. */
  readonly upTo: number;
  readonly payloads: Span | null;
  readonly snapshots: Span | null;
  /** Where the next step begins among the attestations; null if none is left. */
  readonly attested: { readonly at: number; readonly skip: number } | null;
  /** Name of the environment at which the next step begins. */
  readonly environments: string;
}

/** The progress of removal for an organization. All data that events up to `seq` drop is removed. */
export interface Progress {
  readonly seq: number;
  readonly removal: RemovalProgress | null;
}

/** One document for each organization, with its id. */
export const progress: CollectionDefinition<Progress> = { name: 'retention_progress', indexes: [] };

/** A run through the organizations that have a retention. */
export interface Run {
  readonly after: string | null;
  readonly done: boolean;
  /** When the next run has something to do (integer milliseconds); absent until this run has handled an organization. */
  readonly due?: number;
}

export const runs: CollectionDefinition<Run> = { name: 'retention_runs', indexes: [] };
/** The id of the one document of `runs`. */
export const RUN_ID = 'newest';

/** The removal that these events require. @param upTo seq of the last event */
export function removalOf(upTo: number, events: readonly RetentionEvent[]): RemovalProgress {
  const rules = events.flatMap((event) => (event.type === 'EvidenceDropped' ? event.data.rules : []));
  const spanOf = (what: 'payloads' | 'snapshots'): Span | null => {
    const rulesOfKind = rules.filter((rule) => rule.what === what);
    if (rulesOfKind.length === 0) return null;
    return {
      from: Math.min(...rulesOfKind.map(({ from }) => from)),
      before: Math.max(...rulesOfKind.map(({ before }) => before)),
    };
  };
  const payloads = spanOf('payloads');
  const attested = payloads === null ? null : { at: payloads.before - 1, skip: 0 };
  return { upTo, payloads, snapshots: spanOf('snapshots'), attested, environments: '' };
}
