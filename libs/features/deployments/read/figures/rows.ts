import type { DeploymentKind } from '@assurance/contracts/environments/events';
import { type CollectionShape, index } from '@assurance/contracts/events/aggregate';
import type { Sketch } from './sketch';

/** Since when an environment is not compliant, up to an event of its stream. The document has the id of the environment. */
export interface FailingRow {
  /** The seq of the last event that changed the row. */
  readonly seq: number;
  /** Epoch seconds. Null if everything is compliant, or if nothing is judged. */
  readonly since: number | null;
}

export const failing: CollectionShape<FailingRow> = { name: 'view_failing', indexes: [] };

/** A row for each time when everything in an environment became compliant again. */
export interface RecoveryRow {
  readonly org: string;
  readonly environment: string;
  /** Epoch seconds. */
  readonly failedAt: number;
  readonly recoveredAt: number;
}

export const recoveries: CollectionShape<RecoveryRow> = {
  name: 'view_recoveries',
  indexes: [index('by_org', 'org', 'recoveredAt'), index('by_environment', 'org', 'environment', 'recoveredAt')],
};

/** The figures of a period. */
export interface Figures {
  /** Deployments of the kinds that count. */
  readonly deployments: number;
  readonly rollbacks: number;
  /** The number of deployments of each kind, including kinds that do not count. */
  readonly kinds: Readonly<Partial<Record<DeploymentKind, number>>>;
  /** Seconds from the commit to its first deployment, for commits with a known time. */
  readonly lead: Sketch;
  /** Seconds from the failed verdict to the recovery. */
  readonly recovery: Sketch;
}

/** The figures of a day (UTC) of a list, as last computed. */
export interface DayFigures {
  /** The revision of the day that was read before the figures were computed. They are valid while the day has this revision. */
  readonly stamp: number;
  readonly whole: Figures;
}

/** The figures of each quarter of an hour of a day of a list, by its number from 0. */
export interface QuarterFigures {
  /** The revision, as for a day. */
  readonly stamp: number;
  readonly quarters: Readonly<Record<number, Figures>>;
}

export const dayFigures: CollectionShape<DayFigures> = { name: 'view_deployment_figures', indexes: [] };

/** Read if a bucket begins or ends within a day, or if a part of the day changed. */
export const quarterFigures: CollectionShape<QuarterFigures> = { name: 'view_deployment_quarters', indexes: [] };
