import { BATCH, batches, distinct } from '@assurance/event-sourcing/projection/batches';
import { type Documents, findPages, getAll } from '@assurance/storage-ports';
import { type SbomState, scopedArtifacts, scopedId, scopes } from './rows';

/** Artifacts that cannot be judged by their components. */
export interface UnjudgeableArtifacts {
  /** They have no bill of materials, or one of which no components were recorded. */
  readonly withoutSbom: number;
  /** Their bill of materials has more components than are recorded. */
  readonly incompleteSbom: number;
}

const WITHOUT: readonly SbomState[] = ['none', 'unread'];

/** Of all artifacts of an organization, or of those that ever ran in some environments, or that were reported in a flow, or both. */
export async function countUnjudged(
  documents: Documents,
  org: string,
  environments: readonly string[] | null,
  flow: string | null,
): Promise<UnjudgeableArtifacts> {
  // A logical environment without members.
  if (environments?.length === 0) return { withoutSbom: 0, incompleteSbom: 0 };
  const places = environments?.map(scopes.environment) ?? [];
  const [only = null] = places.length === 0 ? [flow === null ? scopes.organization(org) : scopes.flow(flow)] : places;
  const collection = documents.collection(scopedArtifacts);
  if (only !== null && (places.length === 0 || (places.length === 1 && flow === null))) {
    const count = (sbom: SbomState) => collection.count({ scope: only, sbom });
    const [none, unread, cut] = await Promise.all([count('none'), count('unread'), count('cut')]);
    return { withoutSbom: none + unread, incompleteSbom: cut };
  }
  const fingerprints = { without: new Set<string>(), cut: new Set<string>() };
  for (const scope of places) {
    for (const sbom of [...WITHOUT, 'cut'] as const) {
      for await (const page of findPages(collection, { where: { scope, sbom } }, BATCH)) {
        for (const { doc } of page) fingerprints[sbom === 'cut' ? 'cut' : 'without'].add(doc.fingerprint);
      }
    }
  }
  const counted = async (all: ReadonlySet<string>) =>
    flow === null ? all.size : (await reportedInFlow(documents, flow, [...all])).size;
  return { withoutSbom: await counted(fingerprints.without), incompleteSbom: await counted(fingerprints.cut) };
}

/** Which of some artifacts were reported in a flow. */
export async function reportedInFlow(
  documents: Documents,
  flow: string,
  fingerprints: readonly string[],
): Promise<ReadonlySet<string>> {
  const scope = scopes.flow(flow);
  const artifacts = await getAll(
    documents.collection(scopedArtifacts),
    fingerprints.map((fingerprint) => scopedId(scope, fingerprint)),
  );
  return new Set([...artifacts.values()].map(({ fingerprint }) => fingerprint));
}

/** Of these artifacts. One that the view does not have has no bill of materials. */
export async function countUnjudgedAmong(
  documents: Documents,
  org: string,
  fingerprints: readonly string[],
): Promise<UnjudgeableArtifacts> {
  const scope = scopes.organization(org);
  let [withoutSbom, incompleteSbom] = [0, 0];
  for (const some of batches(distinct(fingerprints))) {
    const ids = some.map((fingerprint) => scopedId(scope, fingerprint));
    const artifacts = await documents.collection(scopedArtifacts).getMany(ids);
    for (const id of ids) {
      const state = artifacts.get(id)?.sbom ?? 'none';
      if (WITHOUT.includes(state)) withoutSbom += 1;
      else if (state === 'cut') incompleteSbom += 1;
    }
  }
  return { withoutSbom, incompleteSbom };
}
