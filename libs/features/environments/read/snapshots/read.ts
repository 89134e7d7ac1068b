import type { SnapshotAnswer, SnapshotListItem } from '@assurance/contracts/environments/answers/snapshot';
import type { Environment } from '@assurance/contracts/environments/documents';
import type { SnapshotJudgement, SnapshotRecorded } from '@assurance/contracts/environments/events';
import { streams } from '@assurance/contracts/events/streams';
import { links, type Site } from '@assurance/contracts/http/links';
import type { ListKey, PageEnds } from '@assurance/event-sourcing/projection/cursor-page';
import { pageFields, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import { BrokenRecord, eventsOf, observedAtOfCommit } from '@assurance/event-sourcing/sealing/read';
import { mapInSlices, Slices } from '@assurance/kernel';
import { appliedPolicyAnswer, type VersionOf, versionsOf } from '@assurance/policies/read/policies/decisions';
import type { Commit, Engines, EventStore } from '@assurance/storage-ports';
import type { Snapshot } from '../../domain/snapshot';
import { listingsOf } from '../allow-listing';
import { type ArtifactSelection, snapshotArtifacts } from './answer';
import { failureCauses } from './causes';
import { runningMembersOf } from './in-members';
import type { SnapshotRange } from './interval';
import { type ReadSnapshot, readSnapshot } from './replay';

/**
 * A recorded snapshot, with the selected artifacts.
 *
 * @returns as `readSnapshot`
 */
export async function getSnapshot(
  { events: store, documents }: Pick<Engines, 'events' | 'documents'>,
  site: Site,
  environment: Environment,
  index: number,
  selection: ArtifactSelection,
): Promise<SnapshotAnswer | 'dropped' | null> {
  const read = await readSnapshot(store, environment, index);
  if (read === null || read === 'dropped') return read;
  const next = await store.bySnapshot(streams.environment(environment.id), index + 1);
  const versionOf = await versionsOf(documents, await policyVersionsOf(read.snapshot));
  const { artifacts, changes } = read.snapshot;
  const listingOf = await listingsOf(documents, environment, [changes, artifacts], next === null);
  const { shown, count } = await snapshotArtifacts(documents, site, read.snapshot, versionOf, listingOf, selection);
  const tally = await tallyOf(artifacts);
  const nextAt = next === null ? null : observedAtOfCommit(next);
  const whole = answer(site, environment, index, read, nextAt, shown, { versionOf, tally });
  const placedAnswer = {
    ...whole,
    artifacts: await runningMembersOf(
      { events: store, documents },
      environment,
      index,
      read.snapshot,
      selection,
      shown,
    ),
  };
  const some = selection.page === null ? whole : await pageOfAnswer(placedAnswer, tally, selection.page, count);
  if (selection.show !== 'non-compliant') return some;
  return { ...some, failure_causes: await failureCauses(artifacts, versionOf) };
}

/** Adds the total number of artifacts. Failing artifacts are limited to those on the page. */
async function pageOfAnswer(
  whole: SnapshotAnswer,
  { compliant }: SnapshotTally,
  page: PageRequest,
  count: number,
): Promise<SnapshotAnswer> {
  const fingerprints = new Set(whole.artifacts.map(({ fingerprint }) => fingerprint));
  const slices = new Slices();
  const appliedPolicies: SnapshotAnswer['applied_policies'][number][] = [];
  for (const policy of whole.applied_policies) {
    const failing = policy.failing_artifacts;
    appliedPolicies.push({
      ...policy,
      failing_artifacts: failing.filter((fingerprint) => fingerprints.has(fingerprint)),
      failing_count: failing.length,
      allowed_count: failing.filter((fingerprint) => compliant.has(fingerprint)).length,
    });
    await slices.pause();
  }
  return { ...whole, applied_policies: appliedPolicies, artifact_page: pageFields(page, count) };
}

/** What is counted in all artifacts of a snapshot. */
interface SnapshotTally {
  readonly verdicts: { true: number; false: number; null: number };
  /** Fingerprints that comply. */
  readonly compliant: ReadonlySet<string>;
  /** Fingerprints that fail a policy, in order, by the policy's id. */
  readonly failing: ReadonlyMap<string, readonly string[]>;
}

async function tallyOf(artifacts: Snapshot['artifacts']): Promise<SnapshotTally> {
  const verdicts = { true: 0, false: 0, null: 0 };
  const compliant = new Set<string>();
  const failingPolicies = new Map<string, Set<string>>();
  const slices = new Slices();
  await mapInSlices(
    artifacts,
    (artifact) => {
      verdicts[`${artifact.compliant}`] += 1;
      if (artifact.compliant === true) compliant.add(artifact.fingerprint);
      for (const id of artifact.failing ?? [])
        failingPolicies.set(id, (failingPolicies.get(id) ?? new Set()).add(artifact.fingerprint));
    },
    slices,
  );
  const sorted = new Map<string, readonly string[]>();
  for (const [id, fingerprints] of failingPolicies) {
    sorted.set(id, [...fingerprints].sort());
    await slices.pause();
  }
  return { verdicts, compliant, failing: sorted };
}

function answer(
  site: Site,
  environment: Environment,
  index: number,
  { snapshot, at }: ReadSnapshot,
  nextAt: number | null,
  artifacts: SnapshotAnswer['artifacts'],
  { versionOf, tally }: { readonly versionOf: VersionOf; readonly tally: SnapshotTally },
): SnapshotAnswer {
  return {
    index,
    is_latest: nextAt === null,
    timestamp: at / 1000,
    next_snapshot_timestamp: nextAt === null ? null : nextAt / 1000,
    type: snapshot.type ?? environment.type,
    compliant: snapshot.judged?.compliant ?? false,
    is_judged: snapshot.judged !== null,
    artifact_compliance_count: tally.verdicts,
    html_url: links.snapshotPage(site, environment.name, index),
    artifacts,
    applied_policies: (snapshot.judged?.policies ?? []).flatMap(({ id, version }) => {
      const applied = versionOf(id, version);
      return applied === undefined ? [] : [appliedPolicyAnswer(applied, tally.failing.get(id) ?? [])];
    }),
  };
}

/** The versions of policies in a snapshot. Artifacts that exited keep their last verdict. */
async function policyVersionsOf({ judged, artifacts, changes }: Snapshot): Promise<readonly PolicyVersionRef[]> {
  const all = new Map<string, PolicyVersionRef>();
  const add = ({ policy, version }: PolicyVersionRef) => all.set(`${policy} ${version}`, { policy, version });
  for (const { id, version } of judged?.policies ?? []) add({ policy: id, version });
  const slices = new Slices();
  for (const some of [artifacts, changes]) {
    await mapInSlices(some, ({ verdict }) => verdict?.policies.forEach(add), slices);
  }
  return [...all.values()];
}

interface PolicyVersionRef {
  readonly policy: string;
  readonly version: number;
}

/**
 * One page of an environment's snapshots, newest first.
 *
 * @param now integer milliseconds: how long the current one has lasted
 */
export async function listSnapshots(
  store: EventStore,
  environment: Environment,
  { first, last }: SnapshotRange,
  page: PageRequest,
  oldestFirst: boolean,
  now: number,
): Promise<PageEnds & { readonly items: SnapshotListItem[] }> {
  const indexOf = (place: number) => (oldestFirst ? first + place : last - place);
  const { skip, size } = placesOf(page, last - first + 1, ([index]) =>
    typeof index === 'number' ? (oldestFirst ? index - first : last - index) : NaN,
  );
  const indexes = Array.from({ length: size }, (_, i) => indexOf(skip + i));
  const commits = new Map<number, Commit>();
  const commitOf = async (index: number) => {
    const cachedCommit = commits.get(index);
    if (cachedCommit !== undefined) return cachedCommit;
    const commit = await store.bySnapshot(streams.environment(environment.id), index);
    if (commit === null) throw new BrokenRecord(`snapshot ${index} of environment ${environment.id} is gone`);
    commits.set(index, commit);
    return commit;
  };
  const items: SnapshotListItem[] = [];
  for (const index of indexes) {
    const commit = await commitOf(index);
    const from = observedAtOfCommit(commit);
    const to = index === environment.snapshot ? null : observedAtOfCommit(await commitOf(index + 1));
    const duration = Math.max(0, (to ?? now) - from) / 1000;
    const judgement = await judgementOf(store, commit);
    const verdict = { compliant: judgement?.compliant ?? false, is_judged: judgement !== null };
    items.push({ index, from: from / 1000, to: (to ?? 0) / 1000, duration, ...verdict });
  }
  const keyAt = (place: number) => (size === 0 || place < 0 ? null : [indexOf(place)]);
  return {
    items,
    previous: keyAt(skip - 1),
    first: keyAt(skip),
    last: keyAt(skip + size - 1),
    more: skip + size < last - first + 1,
  };
}

/** The places of a page among so many items. @param placeOf the place of a key */
function placesOf({ page, perPage, cursor = null }: PageRequest, count: number, placeOf: (key: ListKey) => number) {
  const place = cursor === null ? (page - 1) * perPage : placeOf(cursor.key);
  if (!Number.isSafeInteger(place) || place < 0) return { skip: 0, size: 0 };
  const skip = cursor === null ? place : cursor.side === 'after' ? place + 1 : Math.max(0, place - perPage);
  const end = cursor?.side === 'before' ? Math.min(place, count) : count;
  return { skip, size: Math.min(perPage, Math.max(0, end - skip)) };
}

/** The standards that judged the snapshot of a commit; null if nothing judged it. */
async function judgementOf(store: EventStore, commit: Commit): Promise<SnapshotJudgement | null> {
  const [recorded] = (await eventsOf(store, commit, (type) => type === 'SnapshotRecorded')) as SnapshotRecorded[];
  return recorded?.data.judged ?? null;
}
