import type { Environment } from '@assurance/contracts/environments/documents';
import type { Ports } from '@assurance/event-sourcing/tokens';
import type { Refusal } from '@assurance/http';
import type { Caller } from '@assurance/http/query-caller';
import { err, ok, type Result } from '@assurance/kernel';
import { findEnvironment } from '../../lookups/environments';
import { droppedSnapshotRefusal, unknownSnapshot } from '../snapshots';
import type { SnapshotReference } from './expression';
import { type ReadSnapshot, readSnapshot } from './replay';
import { resolveExpression } from './resolve';

/** A snapshot that exists and was not read yet. */
export interface LocatedSnapshot {
  readonly caller: Caller;
  readonly snappish: SnapshotReference;
  readonly environment: Environment;
  readonly index: number;
  /** Such as `production#3`. */
  readonly id: string;
}

/** The snapshot of an environment that an expression means; refused where there is no such environment or snapshot. */
export async function locateSnapshot(
  stores: Pick<Ports, 'documents' | 'events'>,
  caller: Caller,
  snappish: SnapshotReference,
): Promise<Result<LocatedSnapshot, Refusal>> {
  const environment = await findEnvironment(stores, caller.org, snappish.environment);
  if (!environment.ok) return environment;
  const { name, snapshot } = environment.value;
  const index = await resolveExpression(stores.events, environment.value, snappish.expression);
  if (index < 1 || index > snapshot) return err(unknownSnapshot(caller, snappish, index, snapshot));
  return ok({ caller, snappish, environment: environment.value, index, id: `${name}#${index}` });
}

/** Its content; refused where retention dropped it. */
export async function readLocatedSnapshot(
  events: Ports['events'],
  { caller, snappish, environment, index }: LocatedSnapshot,
): Promise<Result<ReadSnapshot['snapshot'], Refusal>> {
  const read = await readSnapshot(events, environment, index);
  if (read === 'dropped') return err(droppedSnapshotRefusal(snappish, index));
  if (read === null) return err(unknownSnapshot(caller, snappish, index, environment.snapshot));
  return ok(read.snapshot);
}
