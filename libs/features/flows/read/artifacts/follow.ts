import type { ArtifactReported } from '@assurance/contracts/flows/events';
import { batches, putRows } from '@assurance/event-sourcing/projection/batches';
import { revise, type ListChange } from '@assurance/event-sourcing/projection/days/revisions';
import type { RecordedEvent, View } from '@assurance/event-sourcing/projection/view';
import type { Documents } from '@assurance/storage-ports';
import { provenanceId } from '../../domain/provenance';
import { wordRows, wordsOfCommit, wordsOfName } from '../words';
import {
  artifactCollections,
  artifactList,
  type ArtifactRow,
  artifactRows,
  artifactWords,
  buildList,
  countedArtifacts,
  isBuild,
  type RepoFlow,
  repoFlows,
} from './rows';

/** Reports of artifacts in each of their lists, and builds, counted by days. */
export const artifactsView: View = {
  name: 'artifacts',
  version: 4,
  collections: artifactCollections,
  kinds: new Set(['trail', 'artifact']),
  types: new Set<ArtifactReported['type']>(['ArtifactReported']),
  take: (documents, recorded) => follow(documents, recorded as readonly RecordedEvent<ArtifactReported>[]),
};

/**
 * Rows only ever change to a newer report, and rows of builds to an earlier one. So any order of events ends in the same rows. A row keeps the
 * moments that it left until the counts of these moments are revised. So a process that takes an event again after a stop also completes these
 * revisions. A row never returns to a moment that it left.
 */
async function follow(documents: Documents, recordedEvents: readonly RecordedEvent<ArtifactReported>[]): Promise<void> {
  await followRepoFlows(documents, recordedEvents);
  await putRows(documents.collection(artifactWords), new Map(recordedEvents.flatMap(wordsOf)));
  const listed = new Map<string, ArtifactRow>();
  for (const event of recordedEvents) {
    for (const [id, row] of rowsOf(event)) {
      const other = listed.get(id);
      if (other === undefined || replaces(row, other)) listed.set(id, row);
    }
  }
  const rows = documents.collection(artifactRows);
  for (const ids of batches([...listed.keys()])) {
    await rows.merge(ids, (current, id) => {
      const row = listed.get(id);
      if (row === undefined || current === null) return row;
      return replaces(row, current) ? { ...row, left: leftMoments(current, row) } : undefined;
    });
    const now = await rows.getMany(ids);
    await revise(documents, countedArtifacts, [...now.values()].flatMap(touchedBy));
    const moved = [...now].filter(([, { left }]) => left.length > 0).map(([id]) => id);
    if (moved.length === 0) continue;
    await rows.merge(moved, (current, id) => {
      const stamped = now.get(id)?.left ?? [];
      const left = current?.left.filter((moment) => !stamped.includes(moment));
      return current === null || left === undefined || left.length === current.left.length
        ? undefined
        : { ...current, left };
    });
  }
}

/** Returns the rows of the first report of an artifact in a stream, by id: one in each list. Later reports in the stream have no rows. */
function rowsOf({ event, meta: { org, stream } }: RecordedEvent<ArtifactReported>): (readonly [string, ArtifactRow])[] {
  const { fingerprint, first, provenance } = event.data;
  if (first !== null) return [];
  const { artifactId, reportedAt, flow, repo } = provenance;
  const row = { fingerprint, stream, reportedAt: reportedAt / 1000, artifactId, left: [] };
  const once = [{ org }, ...(repo === null ? [] : [{ repo: repo.id }, { flow: flow.id, repo: repo.id }])];
  const built = [{ org }, ...(repo === null ? [] : [{ repo: repo.id }])];
  return [
    [provenanceId(fingerprint, stream), { ...row, list: artifactList({ flow: flow.id }).key }],
    ...[...once.map(artifactList), ...built.map(buildList)].map(
      ({ key: list }) => [`${list}/${fingerprint}`, { ...row, list }] as const,
    ),
  ];
}

function wordsOf({ event, meta: { org, stream } }: RecordedEvent<ArtifactReported>) {
  const { fingerprint, first, provenance } = event.data;
  if (first !== null) return [];
  const words = [...wordsOfName(provenance.filename), ...wordsOfCommit(provenance.commit)];
  return [...wordRows(org, provenanceId(fingerprint, stream), words)];
}

async function followRepoFlows(
  documents: Documents,
  recordedEvents: readonly RecordedEvent<ArtifactReported>[],
): Promise<void> {
  const results = new Map<string, RepoFlow>();
  for (const { event } of recordedEvents) {
    const { repo, flow } = event.data.provenance;
    if (repo !== null) results.set(`${repo.id}/${flow.id}`, { repo: repo.id, flow: flow.id });
  }
  for (const ids of batches([...results.keys()])) {
    await documents.collection(repoFlows).merge(ids, (current, id) => (current === null ? results.get(id) : undefined));
  }
}

function touchedBy({ list, reportedAt, left }: ArtifactRow): ListChange[] {
  return [reportedAt, ...left].map((moment) => [list, moment]);
}

/** Adds the moment that a row leaves. Each moment is in the list once. It is only cleared after it was revised. */
function leftMoments({ reportedAt, left }: ArtifactRow, next: ArtifactRow): readonly number[] {
  return reportedAt === next.reportedAt ? left : [...left, reportedAt];
}

/** Whether a row replaces another row of the same list and artifact. */
function replaces(row: ArtifactRow, other: ArtifactRow): boolean {
  return isBuild(row) ? isNewer(other, row) : isNewer(row, other);
}

function isNewer(a: ArtifactRow, b: ArtifactRow): boolean {
  return a.reportedAt === b.reportedAt ? a.artifactId > b.artifactId : a.reportedAt > b.reportedAt;
}
