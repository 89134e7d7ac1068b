import type { ArtifactKey, Refreshed, RefreshedArtifact } from '@assurance/contracts/environments/events';
import { keyText } from './runs';

/**
 * Changes recorded artifacts, by `keyText`, into what a report says of them. It comes before the changes of the snapshot.
 *
 * @param refresh makes an artifact from what is recorded of it
 */
export function applyRefreshed<T extends ArtifactKey>(
  artifacts: Map<string, T>,
  { artifacts: refreshed, dropped }: Refreshed,
  refresh: (recorded: T, refreshed: RefreshedArtifact) => T,
): void {
  const renewed = refreshed.map((one): T | null => {
    const recorded = artifacts.get(keyText({ ...one, name: one.from ?? one.name }));
    return recorded === undefined ? null : refresh(recorded, one);
  });
  for (const key of dropped) artifacts.delete(keyText(key));
  for (const one of renewed) if (one !== null) artifacts.set(keyText(one), one);
}
