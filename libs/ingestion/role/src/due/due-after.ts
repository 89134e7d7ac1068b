import {
  type ArtifactReported,
  type AttestationReported,
  type AttestationTarget,
  type EnvironmentEvent,
  keyOf,
  type SnapshotRecorded,
} from '@assurance/contracts-events';
import { type Due, together } from '@assurance/ingestion-due';
import { running } from '@assurance/model-environment';
import { provenances } from '@assurance/model-flow';
import type { Commit, Documents, Engines } from '@assurance/storage-ports';
import { eventsOf } from '@assurance/storage-records';
import { leastKnown, movedOf } from './moved';

type Wanted =
  ArtifactReported | AttestationReported | SnapshotRecorded | Extract<EnvironmentEvent, { type: 'EnvironmentRevived' }>;

const WANTED: ReadonlySet<string> = new Set<Wanted['type']>([
  'ArtifactReported',
  'AttestationReported',
  'SnapshotRecorded',
  'EnvironmentRevived',
]);
/** How many running artifacts a read brings at once. */
const PAGE = 1000;

/** What a snapshot recorded of an artifact that runs. */
interface Recorded {
  readonly commit: Commit;
  readonly fingerprint: string;
  readonly known: number;
}

/**
 * Which environments some commits make due (DESIGN, re-evaluation), by id: those that run an artifact of which more became known, and those
 * whose snapshot was decided before that was known. Either side looks at what the other wrote before, so at least one sees it.
 */
export async function dueAfter(
  { events, documents }: Pick<Engines, 'events' | 'documents'>,
  batch: readonly Commit[],
): Promise<Map<string, Due>> {
  const due = new Map<string, Due>();
  const add = (environment: string, { org, correlation }: Commit, fingerprints: Due['fingerprints']) =>
    due.set(environment, together(due.get(environment) ?? null, { org, correlation, fingerprints }));
  const recorded = new Map<string, Recorded>();
  for (const commit of batch) {
    for (const event of (await eventsOf(events, commit, (type) => WANTED.has(type))) as Wanted[]) {
      switch (event.type) {
        case 'ArtifactReported': {
          const { fingerprint, first } = event.data;
          // What was reported before in this flow and trail stays what it was.
          if (first !== null) break;
          for (const environment of await runningIn(documents, commit.org, fingerprint))
            add(environment, commit, [fingerprint]);
          break;
        }
        case 'AttestationReported':
          for (const fingerprint of await attestedArtifacts(documents, commit.stream, event.data.target)) {
            for (const environment of await runningIn(documents, commit.org, fingerprint))
              add(environment, commit, [fingerprint]);
          }
          break;
        case 'SnapshotRecorded':
          for (const { fingerprint, name, now, flows } of event.data.changes) {
            const place = `${commit.stream}\n${fingerprint}\n${name}`;
            if (now > 0) recorded.set(place, { commit, fingerprint, known: flows.length });
            else recorded.delete(place);
          }
          break;
        case 'EnvironmentRevived':
          add(keyOf(commit.stream), commit, null);
      }
    }
  }
  for (const [org, all] of byOrganization(recorded.values())) {
    const moved = await movedOf(documents, org, leastKnown(all));
    for (const { commit, fingerprint, known } of all) {
      if ((moved.get(fingerprint) ?? 0) > known) add(keyOf(commit.stream), commit, [fingerprint]);
    }
  }
  return due;
}

/** Fingerprints of the artifacts that an attestation is about: for one of the trail, all that were reported in it. */
async function attestedArtifacts(
  documents: Documents,
  stream: string,
  target: AttestationTarget,
): Promise<Set<string>> {
  if (target.kind === 'artifact') return new Set([target.fingerprint]);
  const fingerprints = new Set<string>();
  for (let skip = 0; ; skip += PAGE) {
    const page = await documents.collection(provenances).find({
      where: { stream },
      order: [['first.reportedAt', 'desc']],
      skip,
      limit: PAGE,
    });
    for (const { doc } of page) {
      const { template, gitCommit } = doc.first;
      if (target.kind === 'trail' || (template === target.template && gitCommit === target.commit))
        fingerprints.add(doc.fingerprint);
    }
    if (page.length < PAGE) return fingerprints;
  }
}

/** Ids of the environments that run a fingerprint. */
async function runningIn(documents: Documents, org: string, fingerprint: string): Promise<Set<string>> {
  const environments = new Set<string>();
  for (let from = ''; ;) {
    const page = await documents.collection(running).find({
      where: { org, fingerprint, environment: { gte: from } },
      order: [['environment', 'asc']],
      limit: PAGE,
    });
    for (const { doc } of page) environments.add(doc.environment);
    const last = page.at(-1)?.doc.environment;
    if (page.length < PAGE || last === undefined) return environments;
    // Ids are of one length: nothing lies between an id and the same with a blank.
    from = `${last} `;
  }
}

function byOrganization(all: Iterable<Recorded>): Map<string, Recorded[]> {
  const found = new Map<string, Recorded[]>();
  for (const one of all) {
    const same = found.get(one.commit.org);
    if (same === undefined) found.set(one.commit.org, [one]);
    else same.push(one);
  }
  return found;
}
