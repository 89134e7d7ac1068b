interface Exposure {
  readonly environment: string;
  readonly first_snapshot: number;
  readonly exposed_since: number;
  readonly gone_snapshot: number | null;
  readonly gone_at: number | null;
}

interface VulnerabilityTimes {
  readonly published: number | null;
  readonly withdrawn: number | null;
  readonly exposures: readonly Exposure[];
}

export interface Moment {
  /** Epoch seconds. */
  readonly at: number;
  readonly kind: 'published' | 'withdrawn' | 'exposed' | 'gone';
  /** The environment and the snapshot. Null for events in databases, and if the snapshot is not known. */
  readonly environment: string | null;
  readonly snapshot: number | null;
}

/** The events of a vulnerability, oldest first: published, exposed since, gone, withdrawn. */
export function timelineOf({ published, withdrawn, exposures }: VulnerabilityTimes): readonly Moment[] {
  const noPlace = { environment: null, snapshot: null };
  const moments: readonly (Moment | null)[] = [
    published === null ? null : { at: published, kind: 'published', ...noPlace },
    withdrawn === null ? null : { at: withdrawn, kind: 'withdrawn', ...noPlace },
    ...exposures.flatMap((exposure): (Moment | null)[] => [
      {
        at: exposure.exposed_since,
        kind: 'exposed',
        environment: exposure.environment,
        snapshot: exposure.first_snapshot,
      },
      exposure.gone_at === null
        ? null
        : { at: exposure.gone_at, kind: 'gone', environment: exposure.environment, snapshot: exposure.gone_snapshot },
    ]),
  ];
  return moments.filter((moment) => moment !== null).sort((a, b) => a.at - b.at);
}
