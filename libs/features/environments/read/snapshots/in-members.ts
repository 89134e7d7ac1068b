import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import { type Environment, running } from '@assurance/contracts/environments/documents';
import { type Documents, foundPages } from '@assurance/storage-ports';
import { environmentsById } from '../../lookups/environments';
import type { ArtifactSelection } from './answer';

type Artifacts = SnapshotAnswer['artifacts'];

const PIECE = 1_000;

/** The artifacts of a page with the members that run them, where it is one of the latest snapshot of a logical environment. */
export async function runningMembersOf(
  documents: Documents,
  { org, includedEnvironments, snapshot }: Environment,
  index: number,
  { page }: ArtifactSelection,
  artifacts: Artifacts,
): Promise<Artifacts> {
  if (includedEnvironments === null || index !== snapshot || page === null || artifacts.length === 0) return artifacts;
  const members = await environmentsById(documents, includedEnvironments);
  const places = new Map<string, Set<string>>();
  const where = {
    org,
    fingerprint: { in: [...new Set(artifacts.map(({ fingerprint }) => fingerprint))] },
    environment: { in: [...includedEnvironments] },
  };
  if (includedEnvironments.length > 0) {
    for await (const results of foundPages(documents.collection(running), { where }, PIECE)) {
      for (const { doc } of results) {
        const name = members.get(doc.environment)?.name;
        if (name === undefined) continue;
        const names = places.get(placeOf(doc)) ?? new Set();
        places.set(placeOf(doc), names.add(name));
      }
    }
  }
  return artifacts.map((artifact) => ({
    ...artifact,
    running_in: [...(places.get(placeOf(artifact)) ?? [])].sort(),
  }));
}

/** Artifacts of an unknown digest are told apart by their names. */
function placeOf({ fingerprint, name }: Pick<Artifacts[number], 'fingerprint' | 'name'>): string {
  return fingerprint === '' ? ` ${name}` : fingerprint;
}
