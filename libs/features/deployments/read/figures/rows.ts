import type { DeploymentKind } from '@assurance/contracts/environments/events';
import { type CollectionShape, index } from '@assurance/contracts/events/aggregate';
import type { Sketch } from './sketch';

/** Since when what runs in an environment is not compliant, up to an event of its stream. The document's id is the environment's. */
export interface FailingRow {
  /** Of the last event that was taken. */
  readonly seq: number;
  /** Epoch seconds; null while all is compliant, or nothing judges. */
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
  /** How many of each kind, those that do not count too. */
  readonly kinds: Readonly<Partial<Record<DeploymentKind, number>>>;
  /** Seconds from the commit to its first deployment, where the commit's time is known. */
  readonly lead: Sketch;
  /** Seconds from a verdict's failure. */
  readonly recovery: Sketch;
}

/** The figures of a list's day (UTC), as last made. */
export interface DayFigures {
  /** The day's revision that was read before they were made: they hold while it is the day's own. */
  readonly stamp: number;
  readonly whole: Figures;
}

/** The figures of each quarter of an hour of a list's day with its number, from 0. */
export interface QuarterFigures {
  /** As that of the day. */
  readonly stamp: number;
  readonly quarters: Readonly<Record<number, Figures>>;
}

export const dayFigures: CollectionShape<DayFigures> = { name: 'view_deployment_figures', indexes: [] };

/** Read where a bucket begins or ends within a day, and where a part of the day changed. */
export const quarterFigures: CollectionShape<QuarterFigures> = { name: 'view_deployment_quarters', indexes: [] };
