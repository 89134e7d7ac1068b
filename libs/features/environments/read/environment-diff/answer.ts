import type {
  ChangedArtifact,
  DiffArtifact,
  EnvironmentDiffAnswer,
} from '@assurance/contracts/environments/answers/environment-diff';
import type { ArtifactPage } from '@assurance/contracts/environments/answers/snapshot';
import { pageFields, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import type { FlowNameOf } from '@assurance/flows/lookups/flow-names';
import { mapInSlices, Slices } from '@assurance/kernel';
import { byKey } from '../../domain/runs';
import { comparedFieldsOf, countOf, groupsOf, type Side, youngestTime } from './artifact-groups';

/**
 * Compares two snapshots by fingerprint, and by name where the digest is unknown. What a fingerprint runs under several names is
 * told once, under the first.
 *
 * @param page of each list; null for whole lists
 */
export async function environmentDiff(
  first: Side,
  second: Side,
  flowNameOf: FlowNameOf,
  page: PageRequest | null,
): Promise<EnvironmentDiffAnswer> {
  const slices = new Slices();
  const [before, after] = [await groupsOf(first, slices), await groupsOf(second, slices)];
  const changedArtifacts: ChangedArtifact[] = [];
  const unchangedArtifacts: DiffArtifact[] = [];
  await mapInSlices([...after], ([key, all]) => {
    const groupBefore = before.get(key);
    if (groupBefore === undefined) return;
    const [s1, s2] = [countOf(groupBefore), countOf(all)];
    const commonFields = {
      ...comparedFieldsOf(all, flowNameOf),
      most_recent_timestamp: Math.max(youngestTime(groupBefore), youngestTime(all)),
    };
    if (s1 === s2) unchangedArtifacts.push({ ...commonFields, instance_count: s1 });
    else changedArtifacts.push({ ...commonFields, s1_instance_count: s1, s2_instance_count: s2 });
  });
  return {
    snappish1: {
      snapshot_id: first.id,
      ...(await listArtifacts(await artifactsOfOneSide(before, after, flowNameOf), page, slices)),
    },
    snappish2: {
      snapshot_id: second.id,
      ...(await listArtifacts(await artifactsOfOneSide(after, before, flowNameOf), page, slices)),
    },
    changed: await listArtifacts(changedArtifacts, page, slices),
    'not-changed': await listArtifacts(unchangedArtifacts, page, slices),
  };
}

async function listArtifacts<T extends DiffArtifact | ChangedArtifact>(
  all: T[],
  page: PageRequest | null,
  slices: Slices,
): Promise<{ artifacts: T[]; artifact_page?: ArtifactPage }> {
  await slices.pause();
  const artifacts = all.sort(byName);
  if (page === null) return { artifacts };
  const some = artifacts.slice((page.page - 1) * page.perPage, page.page * page.perPage);
  return { artifacts: some, artifact_page: pageFields(page, artifacts.length) };
}

type Groups = Awaited<ReturnType<typeof groupsOf>>;

async function artifactsOfOneSide(groups: Groups, others: Groups, flowNameOf: FlowNameOf): Promise<DiffArtifact[]> {
  const only = [...groups].filter(([key]) => !others.has(key));
  return await mapInSlices(only, ([, all]) => ({ ...comparedFieldsOf(all, flowNameOf), instance_count: countOf(all) }));
}

function byName(a: { name: string; fingerprint: string }, b: { name: string; fingerprint: string }): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return byKey(a, b);
}
