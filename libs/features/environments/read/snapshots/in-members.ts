import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import { type Environment, running } from '@assurance/contracts/environments/documents';
import type { ArtifactKey } from '@assurance/contracts/environments/events';
import { type Documents, type Engines, findPages } from '@assurance/storage-ports';
import { mapInSlices, Slices } from '@assurance/kernel';
import type { Snapshot } from '../../domain/snapshot';
import { environmentsById, lastEnvironmentChange } from '../../lookups/environments';
import type { ArtifactSelection } from './answer';
import { readSnapshot } from './replay';

type Artifacts = SnapshotAnswer['artifacts'];

/** Where artifacts ran: ids of members, by `placeOf`. */
type Places = Map<string, Set<string>>;

const PIECE = 1_000;

/**
 * Adds to each artifact of a page the members of the logical environment that run it. For the latest snapshot, these members run it now. For an
 * earlier snapshot, they ran it when the snapshot was made.
 *
 * @returns the artifacts unchanged if the environment is not logical, or if the data about its members was removed
 */
export async function runningMembersOf(
  engines: Pick<Engines, 'events' | 'documents'>,
  { org, includedEnvironments, snapshot }: Environment,
  index: number,
  { members }: Pick<Snapshot, 'members'>,
  { page }: ArtifactSelection,
  artifacts: Artifacts,
): Promise<Artifacts> {
  if (includedEnvironments === null || page === null || artifacts.length === 0) return artifacts;
  const places =
    index === snapshot
      ? await currentPlaces(engines.documents, org, includedEnvironments, artifacts)
      : await placesAtSnapshot(engines, members, artifacts);
  if (places === null) return artifacts;
  const ids = new Set([...places.values()].flatMap((some) => [...some]));
  const environments = await environmentsById(engines.documents, [...ids]);
  return artifacts.map((artifact) => ({
    ...artifact,
    running_in: [...(places.get(placeOf(artifact)) ?? [])].flatMap((id) => environments.get(id)?.name ?? []).sort(),
  }));
}

/**
 * All that the members on a page depend on, beside the snapshot: their names and, for the latest snapshot, what they run now. Null if the page names
 * no members.
 */
export async function membersKeyOf(
  documents: Documents,
  { org, includedEnvironments, snapshot }: Environment,
  index: number,
  { page }: ArtifactSelection,
): Promise<unknown> {
  if (includedEnvironments === null || page === null) return null;
  // A past snapshot may name members that left.
  if (index < snapshot) return lastEnvironmentChange(documents, org);
  const members = await environmentsById(documents, includedEnvironments);
  return [...members.values()].map(({ name, snapshot: newest }) => [name, newest]);
}

async function currentPlaces(
  documents: Documents,
  org: string,
  members: readonly string[],
  artifacts: Artifacts,
): Promise<Places> {
  const places: Places = new Map();
  if (members.length === 0) return places;
  const where = {
    org,
    fingerprint: { in: [...new Set(artifacts.map(({ fingerprint }) => fingerprint))] },
    environment: { in: [...members] },
  };
  for await (const results of findPages(documents.collection(running), { where }, PIECE)) {
    for (const { doc } of results) add(places, doc, doc.environment);
  }
  return places;
}

/** Null if the snapshot does not record the snapshots of its members, or if one of these was removed. */
async function placesAtSnapshot(
  { events }: Pick<Engines, 'events'>,
  members: Snapshot['members'],
  artifacts: Artifacts,
): Promise<Places | null> {
  if (members === null) return null;
  const places: Places = new Map();
  const shownPlaces = new Set(artifacts.map(placeOf));
  const slices = new Slices();
  for (const [id, snapshot] of Object.entries(members)) {
    const read = await readSnapshot(events, { id }, snapshot);
    if (read === null || read === 'dropped') return null;
    await mapInSlices(
      read.snapshot.artifacts,
      (artifact) => {
        if (shownPlaces.has(placeOf(artifact))) add(places, artifact, id);
      },
      slices,
    );
  }
  return places;
}

function add(places: Places, artifact: ArtifactKey, environment: string): void {
  const place = placeOf(artifact);
  const ids = places.get(place);
  if (ids === undefined) places.set(place, new Set([environment]));
  else ids.add(environment);
}

/** Artifacts whose digest is unknown are distinguished by their names. */
function placeOf({ fingerprint, name }: ArtifactKey): string {
  return fingerprint === '' ? ` ${name}` : fingerprint;
}
