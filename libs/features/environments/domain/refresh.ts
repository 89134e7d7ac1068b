import type { Running } from '@assurance/contracts/environments/documents';
import type { ArtifactKey, Refreshed, RefreshedArtifact, NamedStart } from '@assurance/contracts/environments/events';
import type { Difference, Reported } from './difference';
import { contextsKey, keyText, runningAfterRefresh } from './runs';

/** The details of a report that differ from the recorded ones, for artifacts that keep running; null if none differ. */
export function decideRefresh({ continued, renamed }: Pick<Difference, 'continued' | 'renamed'>): Refreshed | null {
  const artifacts: RefreshedArtifact[] = [];
  for (const [before, now] of continued) {
    if (!isSame(before, now)) artifacts.push(refreshArtifact(before, now, before.startedAs));
  }
  const droppedKeys: ArtifactKey[] = [];
  for (const { before, now } of renamed) {
    const names = new Set(now.map(({ name }) => name));
    const former = new Map(before.map((running) => [running.name, running]));
    const endedArtifacts = before.filter(({ name }) => !names.has(name));
    droppedKeys.push(...endedArtifacts.map(({ fingerprint, name }) => ({ fingerprint, name })));
    const addedArtifacts = now.filter(({ name }) => !former.has(name));
    // Starts under dropped names move to the new names, one to each. The remaining starts move to the first name.
    const startedAs = new Map<Reported, NamedStart[]>();
    for (const [i, running] of endedArtifacts.entries()) {
      const heir = addedArtifacts[i] ?? now[0];
      startedAs.set(heir, [...(startedAs.get(heir) ?? []), ...startsOf(running)]);
    }
    for (const artifact of now) {
      const previous = former.get(artifact.name);
      const movedStarts = startedAs.get(artifact);
      if (previous !== undefined && movedStarts === undefined && isSame(previous, artifact)) continue;
      const from = previous ?? endedArtifacts[addedArtifacts.indexOf(artifact)] ?? before[0];
      const starts = [...(previous === undefined ? [] : startsOf(previous)), ...(movedStarts ?? [])];
      artifacts.push({
        ...refreshArtifact(from, artifact, isOwn(starts, artifact.name, from) ? undefined : starts),
        ...(previous === undefined ? { from: from.name } : {}),
      });
    }
  }
  return artifacts.length === 0 && droppedKeys.length === 0 ? null : { artifacts, dropped: droppedKeys };
}

/**
 * The running artifacts after a snapshot refreshed them. Remaining ones keep their order, and new names come last.
 *
 * @param renewedArtifacts the refreshed artifacts as they run, if the caller has them
 */
export function refreshedRunning(
  runningArtifacts: readonly Running[],
  { artifacts, dropped }: Refreshed,
  renewedArtifacts: readonly Running[] = artifacts.map(runningAfterRefresh),
): readonly Running[] {
  const byName = new Map(renewedArtifacts.map((candidate) => [keyText(candidate), candidate]));
  const droppedKeys = new Set(dropped.map(keyText));
  const remainingArtifacts: Running[] = [];
  for (const candidate of runningArtifacts) {
    const key = keyText(candidate);
    if (droppedKeys.has(key)) continue;
    remainingArtifacts.push(byName.get(key) ?? candidate);
    byName.delete(key);
  }
  return [...remainingArtifacts, ...byName.values()];
}

function refreshArtifact(
  { since, known, judged }: Running,
  { fingerprint, name, instances, contexts }: Reported,
  startedAs: Running['startedAs'],
): RefreshedArtifact {
  return {
    fingerprint,
    name,
    instances,
    since,
    known,
    ...(contexts === undefined ? {} : { contexts }),
    ...(judged === undefined ? {} : { judged }),
    ...(startedAs === undefined ? {} : { startedAs }),
  };
}

function isSame(before: Running, { instances, contexts }: Reported): boolean {
  if (before.instances.length !== instances.length) return false;
  for (let i = 0; i < instances.length; i += 1) if (before.instances[i] !== instances[i]) return false;
  return contexts === undefined || contextsKey(contexts) === before.contextsKey;
}

function startsOf({ name, since, startedAs = [[name, since.snapshot]] }: Running): readonly NamedStart[] {
  return startedAs;
}

function isOwn(starts: readonly NamedStart[], name: string, { since }: Running): boolean {
  const [first] = starts;
  return starts.length === 1 && first?.[0] === name && first[1] === since.snapshot;
}
