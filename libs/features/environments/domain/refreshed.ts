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
  const renewed = refreshed.map((refreshedArtifact): T | null => {
    const recorded = artifacts.get(
      keyText({ ...refreshedArtifact, name: refreshedArtifact.from ?? refreshedArtifact.name }),
    );
    return recorded === undefined ? null : refresh(recorded, refreshedArtifact);
  });
  for (const key of dropped) artifacts.delete(keyText(key));
  for (const artifact of renewed) if (artifact !== null) artifacts.set(keyText(artifact), artifact);
}
