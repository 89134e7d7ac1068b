import type {
  ChangedArtifact,
  DiffArtifact,
  EnvironmentDiffAnswer,
} from '@assurance/contracts/environments/answers/environment-diff';
import type { ArtifactPage } from '@assurance/contracts/environments/answers/snapshot';
import type { RunningArtifact } from '@assurance/contracts/environments/events';
import { pageFields, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import type { FlowNameOf } from '@assurance/flows/lookups/flow-names';
import { groupBy, plausibleTime, mapInSlices, Slices } from '@assurance/kernel';
import { byKey } from '../../domain/runs';
import type { Snapshot } from '../../domain/snapshot';

/** One side of a comparison: what ran, and how it is called (`production#3`). */
export interface Side {
  readonly id: string;
  readonly snapshot: Pick<Snapshot, 'artifacts'>;
}

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
      ...itemOf(all, flowNameOf),
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

type ArtifactGroup = readonly [RunningArtifact, ...RunningArtifact[]];
type Groups = ReadonlyMap<string, ArtifactGroup>;

async function groupsOf({ snapshot }: Side, slices: Slices): Promise<Groups> {
  await slices.pause();
  const sorted = [...snapshot.artifacts].sort(byKey);
  await slices.pause();
  return groupBy(sorted, ({ fingerprint, name }) => (fingerprint === '' ? `\n${name}` : fingerprint));
}

async function artifactsOfOneSide(groups: Groups, others: Groups, flowNameOf: FlowNameOf): Promise<DiffArtifact[]> {
  const only = [...groups].filter(([key]) => !others.has(key));
  return await mapInSlices(only, ([, all]) => ({ ...itemOf(all, flowNameOf), instance_count: countOf(all) }));
}

function itemOf(all: ArtifactGroup, flowNameOf: FlowNameOf) {
  const [{ fingerprint, name, flows }] = all;
  const [first] = flows;
  const pods = all.flatMap(({ contexts = [] }) =>
    contexts.flatMap((context) => (context.of === 'pod' ? [context.pod] : [])),
  );
  return {
    fingerprint,
    flow: first === undefined ? '' : flowNameOf(first.flow),
    name,
    git_commit: first?.gitCommit ?? '',
    commit_url: first?.commitUrl ?? '',
    most_recent_timestamp: youngestTime(all),
    ...(pods.length === 0 ? {} : { pods: [...new Set(pods)].sort() }),
  };
}

function countOf(all: ArtifactGroup): number {
  return all.reduce((sum, { instances }) => sum + instances.length, 0);
}

/** Epoch seconds, whole; where no creation time is known, that of the snapshot in which it started. */
function youngestTime(all: ArtifactGroup): number {
  return all.reduce(
    (newest, { instances, since }) =>
      instances.reduce(
        (latest, created) => Math.max(latest, plausibleTime(created) ?? Math.floor(since.at / 1000)),
        newest,
      ),
    0,
  );
}

function byName(a: { name: string; fingerprint: string }, b: { name: string; fingerprint: string }): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return byKey(a, b);
}
