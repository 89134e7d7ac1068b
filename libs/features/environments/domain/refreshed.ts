import type { ArtifactKey, Refreshed, RefreshedArtifact } from '@assurance/contracts/environments/events';
import { mapSteps, type Steps } from '@assurance/kernel';
import { keyText } from './runs';

/**
 * Changes recorded artifacts, by `keyText`, into what a report says of them. It comes before the changes of the snapshot.
 *
 * @param refresh makes an artifact from what is recorded of it
 */
export function* applyRefreshed<T extends ArtifactKey>(
  artifacts: Map<string, T>,
  { artifacts: refreshed, dropped }: Refreshed,
  refresh: (recorded: T, refreshed: RefreshedArtifact) => T,
): Steps<void> {
  const renewed = yield* mapSteps(refreshed, (one): T | null => {
    const recorded = artifacts.get(keyText({ ...one, name: one.from ?? one.name }));
    return recorded === undefined ? null : refresh(recorded, one);
  });
  for (const key of dropped) artifacts.delete(keyText(key));
  yield* mapSteps(renewed, (one) => one !== null && artifacts.set(keyText(one), one));
}
