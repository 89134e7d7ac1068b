/** The artifacts of an environment that have to be judged again. */
export interface JudgingWork {
  /** Organization id. */
  readonly org: string;
  /** Artifacts to look at, each once; null: all that runs. */
  readonly fingerprints: readonly string[] | null;
  /** Of the newest cause. */
  readonly correlation: string;
}

/** The most fingerprints that a work item names: with more, all that runs is looked at. */
export const FINGERPRINTS_MAX = 200;

/** Both, as one. */
export function mergeWork(judgingWork: JudgingWork | null, next: JudgingWork): JudgingWork {
  if (judgingWork?.fingerprints === null || next.fingerprints === null) return { ...next, fingerprints: null };
  const all = [...new Set([...(judgingWork?.fingerprints ?? []), ...next.fingerprints])];
  return { ...next, fingerprints: all.length > FINGERPRINTS_MAX ? null : all };
}
