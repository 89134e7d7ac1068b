import type { ArtifactKey, Refreshed, RefreshedArtifact } from '@assurance/contracts/environments/events';
import { keyText } from './runs';

/**
 * Updates recorded artifacts, by `keyText`, to the details of a report. Call it before the changes of the snapshot are applied.
 *
 * @param refresh makes the updated artifact from the recorded one
 */
export function applyRefreshed<T extends ArtifactKey>(
  artifacts: Map<string, T>,
  { artifacts: refreshed, dropped }: Refreshed,
  refresh: (recorded: T, refreshed: RefreshedArtifact) => T,
): void {
  const renewedArtifacts = refreshed.map((refreshedArtifact): T | null => {
    const recorded = artifacts.get(
      keyText({ ...refreshedArtifact, name: refreshedArtifact.from ?? refreshedArtifact.name }),
    );
    return recorded === undefined ? null : refresh(recorded, refreshedArtifact);
  });
  for (const key of dropped) artifacts.delete(keyText(key));
  for (const artifact of renewedArtifacts) if (artifact !== null) artifacts.set(keyText(artifact), artifact);
}
