import { environmentStates, type Environment } from '@assurance/contracts/environments/documents';
import type { SnapshotRecorded } from '@assurance/contracts/environments/events';
import { keyOf, streams } from '@assurance/contracts/events/streams';
import type { AttestationReported } from '@assurance/contracts/evidence/events';
import type { ArtifactReported } from '@assurance/contracts/flows/events';
import type { PolicyAttached, PolicyRevised } from '@assurance/contracts/policies/events';
import type { VulnerabilitiesImported } from '@assurance/contracts/vulnerabilities/events';
import { logicalMembers } from '@assurance/environments/domain/members';
import { type JudgingWork, mergeWork } from '@assurance/environments/judging/work';
import { environmentsWithPolicy, runningIn } from '@assurance/environments/write/judging/running-where';
import { eventsOf } from '@assurance/event-sourcing/sealing/read';
import { attestations } from '@assurance/flows/domain/attestation';
import { readEvidence } from '@assurance/flows/lookups/evidence';
import { getOrInsert, mapInSlices, pieces } from '@assurance/kernel';
import { type Commit, type Documents, type Engines, pagesBy } from '@assurance/storage-ports';
import { vulnerabilities } from '../domain/imports';

/** The artifacts of an environment that are searched for vulnerabilities. */
export interface ExposureWork extends JudgingWork {
  /** The commit of imports of the organization that must be compared first; 0 for none. */
  readonly seq: number;
}

type RelevantEvent =
  ArtifactReported | AttestationReported | PolicyAttached | PolicyRevised | SnapshotRecorded | VulnerabilitiesImported;

const RELEVANT_TYPES: ReadonlySet<string> = new Set<RelevantEvent['type']>([
  'ArtifactReported',
  'AttestationReported',
  'PolicyAttached',
  'PolicyRevised',
  'SnapshotRecorded',
  'VulnerabilitiesImported',
]);
const PAGE = 500;
/** How many artifacts or environments are looked up together. */
const TOGETHER = 100;

/** Merges two work items. */
export function mergeExposureWork(current: ExposureWork | null, next: ExposureWork): ExposureWork {
  return { ...mergeWork(current, next), seq: Math.max(current?.seq ?? 0, next.seq) };
}

/**
 * Finds the environments that need a new search after some commits: commits with new entries, SBOMs, findings or snapshots. If an organization has no
 * imports, only findings count. If it has no findings either, nothing is looked up. Changed policies count because they set when grace periods end.
 */
export async function exposureWorkAfter(
  { events, documents }: Pick<Engines, 'events' | 'documents'>,
  batch: readonly Commit[],
): Promise<Map<string, ExposureWork>> {
  const work = new Map<string, ExposureWork>();
  const add = (environment: string, { org, correlation }: Commit, fingerprints: JudgingWork['fingerprints'], seq = 0) =>
    work.set(environment, mergeExposureWork(work.get(environment) ?? null, { org, correlation, fingerprints, seq }));
  const addRunning = async (commit: Commit, fingerprint: string) => {
    const places = (await runningIn(documents, commit.org, [fingerprint])).map(({ environment }) => environment);
    for (const environment of [...places, ...(await logicalOf(documents, places))])
      add(environment, commit, [fingerprint]);
  };
  const imported = new Map<string, Promise<boolean>>();
  const scanned = new Map<string, Promise<boolean>>();
  for (const commit of batch) {
    const { org, stream } = commit;
    if (!commit.events.some(({ type }) => RELEVANT_TYPES.has(type))) continue;
    const hasEntries = await getOrInsert(imported, org, () => hasImports(documents, org));
    const hasNone = async () => !hasEntries && !(await getOrInsert(scanned, org, () => hasFindings(documents, org)));
    const withEvidence = async (fingerprints: readonly string[]) =>
      hasEntries ? fingerprints : (await hasNone()) ? [] : withFindings(documents, org, fingerprints);
    for (const event of (await eventsOf(events, commit, (type) => RELEVANT_TYPES.has(type))) as RelevantEvent[]) {
      switch (event.type) {
        case 'VulnerabilitiesImported':
          for await (const environment of environmentsOf(documents, org)) add(environment, commit, null, commit.seq);
          break;
        case 'SnapshotRecorded': {
          const { changes } = event.data;
          const startedFingerprints = await mapInSlices(changes, ({ now, fingerprint }) =>
            now > 0 ? fingerprint : '',
          );
          const reported = [...new Set(startedFingerprints)].filter((fingerprint) => fingerprint !== '');
          const fingerprints = await withEvidence(reported);
          if (fingerprints.length > 0) add(keyOf(stream), commit, fingerprints);
          break;
        }
        case 'ArtifactReported':
          if (event.data.first !== null) break;
          for (const fingerprint of await withEvidence([event.data.fingerprint])) await addRunning(commit, fingerprint);
          break;
        case 'AttestationReported': {
          const { target, components, findings } = event.data;
          const isTelling = findings !== undefined || (hasEntries && components !== undefined);
          if (isTelling && target.kind === 'artifact') await addRunning(commit, target.fingerprint);
          break;
        }
        case 'PolicyAttached':
          if (!(await hasNone())) add(keyOf(stream), commit, null);
          break;
        case 'PolicyRevised':
          if (await hasNone()) break;
          for (const environment of await environmentsWithPolicy(documents, keyOf(stream)))
            add(environment, commit, null);
      }
    }
  }
  return work;
}

/** Whether a scanner ever found anything in the organization. Attestations that a later one replaced count too. */
async function hasFindings(documents: Documents, org: string): Promise<boolean> {
  return (await documents.collection(attestations).find({ where: { org, findings: true }, limit: 1 })).length > 0;
}

/** Returns the artifacts for which a scanner found something. */
async function withFindings(
  documents: Documents,
  org: string,
  fingerprints: readonly string[],
): Promise<readonly string[]> {
  const scanned: string[] = [];
  for (const some of pieces(fingerprints, TOGETHER)) {
    for (const [fingerprint, evidence] of await readEvidence(documents, org, some)) {
      const attested = evidence.flatMap(({ attestations }) => attestations);
      // An override hides the attestation that it overrides.
      if (attested.some(({ type, findings }) => findings === true || type === 'override')) scanned.push(fingerprint);
    }
  }
  return scanned;
}

async function hasImports(documents: Documents, org: string): Promise<boolean> {
  return (await documents.collection(vulnerabilities.states).get(streams.vulnerabilities(org))) !== null;
}

async function* environmentsOf(documents: Documents, org: string): AsyncGenerator<string> {
  const query = { org, archived: false };
  for await (const page of pagesBy<Environment>(documents.collection(environmentStates), query, 'name', PAGE)) {
    for (const { doc } of page) yield doc.id;
  }
}

/** Returns the logical environments that have one of these members. */
async function logicalOf(documents: Documents, members: readonly string[]): Promise<readonly string[]> {
  const logical = new Set<string>();
  for (const some of pieces(members, TOGETHER)) {
    const where = { member: { in: some } };
    for await (const page of pagesBy(documents.collection(logicalMembers), where, 'key', PAGE)) {
      for (const { doc } of page) logical.add(doc.logical);
    }
  }
  return [...logical];
}
