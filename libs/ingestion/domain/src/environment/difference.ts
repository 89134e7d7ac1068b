import { type Environment, keyText, type Running } from '@assurance/model';
import { mapSteps, type Steps } from '@assurance/kernel';
import type { Reported } from './collect';

/** The difference between a report and the running artifacts. */
export interface Difference {
  readonly started: readonly Reported[];
  readonly exited: readonly Running[];
  /** Running artifacts whose number of instances changed, and the new number. Empty unless the environment includes scaling. */
  readonly scaled: readonly { readonly before: Running; readonly now: Reported }[];
}

/**
 * The difference that a report makes in an environment. If the environment has another type than its newest snapshot, the comparison
 * starts from nothing.
 */
export function* differenceIn(
  { includeScaling, reportedAs }: Pick<Environment, 'includeScaling' | 'reportedAs'>,
  running: readonly Running[],
  reported: readonly Reported[],
): Steps<Difference> {
  if (reportedAs !== undefined) return { started: reported, exited: running, scaled: [] };
  return yield* differenceOf(running, reported, includeScaling);
}

/** Compares by (fingerprint, name); counts matter only where the environment includes scaling. */
export function* differenceOf(
  running: readonly Running[],
  reported: readonly Reported[],
  includeScaling: boolean,
): Steps<Difference> {
  const before = new Map<string, Running>();
  yield* mapSteps(running, (artifact) => before.set(keyText(artifact), artifact));
  const started: Reported[] = [];
  const scaled: { before: Running; now: Reported }[] = [];
  yield* mapSteps(reported, (now) => {
    const key = keyText(now);
    const was = before.get(key);
    if (was === undefined) {
      started.push(now);
      return;
    }
    before.delete(key);
    if (includeScaling && was.instances.length !== now.instances.length) scaled.push({ before: was, now });
  });
  return { started, exited: [...before.values()], scaled };
}

/** How many artifacts a snapshot made of this would list as changed. */
export function sizeOf({ started, exited, scaled }: Difference): number {
  return started.length + exited.length + scaled.length;
}
