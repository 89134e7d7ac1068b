import type { CommitInfo } from '@assurance/contracts/events/commit';
import type { ArtifactReported, TrailBegun, TrailUpdated } from '@assurance/contracts/flows/events';
import { plainDigits } from '@assurance/contracts/http/patterns';
import { batches, removeDuplicates, putRows } from '@assurance/event-sourcing/projection/batches';
import { type ListChange, revise } from '@assurance/event-sourcing/projection/days/revisions';
import type { RecordedEvent, View } from '@assurance/event-sourcing/projection/view';
import { BrokenRecord } from '@assurance/event-sourcing/sealing/read';
import type { Documents, Write } from '@assurance/storage-ports';
import { firstLine, type WordRow, wordRows, wordsOfCommit, wordsOfName } from '../words';
import {
  countedTrails,
  type ListedTrail,
  type TrailArtifactRow,
  trailArtifactRows,
  trailCollections,
  trailList,
  type TrailRow,
  trailRows,
  trailWords,
} from './rows';

type FollowedEvent = TrailBegun | TrailUpdated | ArtifactReported;

/** The view of trails and of their artifacts. It counts them by day, which is not possible with aggregate states alone. */
export const trailsView: View = {
  name: 'trails',
  version: 4,
  collections: trailCollections,
  kinds: new Set(['trail']),
  types: new Set<FollowedEvent['type']>(['TrailBegun', 'TrailUpdated', 'ArtifactReported']),
  take: (documents, recorded) => follow(documents, recorded as readonly RecordedEvent<FollowedEvent>[]),
};

/** The most documents of words of a trail: ten words of its name, 20 of the message, and ten of the author. */
const WORD_ROWS_MAX = 4;
/** The most characters of an author in a row: at least those of its words. */
const AUTHOR_MAX = 1_000;

/**
 * Rows depend only on the stream of their trail. Only a new commit changes them, and the row with the newest one stays. If an event arrives again,
 * it writes the same rows.
 */
async function follow(documents: Documents, recordedEvents: readonly RecordedEvent<FollowedEvent>[]): Promise<void> {
  const newRows = new Map<string, TrailRow>();
  const reportedArtifacts: (readonly [trail: string, fingerprint: string])[] = [];
  const commitsByTrail = new Map<string, { readonly seq: number; readonly commit: CommitInfo | null }>();
  for (const { event, meta } of recordedEvents) {
    const { stream, seq } = meta;
    if (event.type === 'ArtifactReported') {
      // The row of the artifact exists since its first report in this trail.
      if (event.data.first === null) reportedArtifacts.push([stream, event.data.fingerprint]);
      continue;
    }
    if (event.type === 'TrailBegun') {
      const { flow, name } = event.data;
      newRows.set(stream, { org: meta.org, flow: flow.id, name, createdAt: meta.at / 1000 });
    } else if (event.data.commit == null) continue;
    if ((commitsByTrail.get(stream)?.seq ?? 0) <= seq)
      commitsByTrail.set(stream, { seq, commit: event.data.commit ?? null });
  }
  const trailIds = removeDuplicates([...reportedArtifacts.map(([trail]) => trail), ...commitsByTrail.keys()]);
  const trails = new Map(newRows);
  for (const some of batches(trailIds.filter((trail) => !newRows.has(trail)))) {
    for (const [trail, { org, flow, name, createdAt }] of await documents.collection(trailRows).getMany(some)) {
      trails.set(trail, { org, flow, name, createdAt });
    }
  }
  const rowOf = (trail: string): TrailRow => {
    const row = trails.get(trail);
    if (row === undefined) throw new BrokenRecord(`${trail} goes on before it begins`);
    return row;
  };
  const changes = [...newRows.values()].flatMap((row) => touchedBy(row, null));
  const artifacts = new Map<string, TrailArtifactRow>();
  for (const [trail, fingerprint] of reportedArtifacts) {
    const row = rowOf(trail);
    artifacts.set(`${fingerprint}@${trail}`, { ...row, fingerprint, trail });
    changes.push(...touchedBy(row, fingerprint));
  }
  const rows = [...commitsByTrail].map(([id, { seq, commit }]): Write<ListedTrail> => {
    return { kind: 'forward', id, seq, doc: { ...rowOf(id), ...textsOf(commit) } };
  });
  for (const some of batches(rows)) await documents.collection(trailRows).write(some);
  const words = [...commitsByTrail].flatMap(([trail, { seq, commit }]) => wordWrites(trail, rowOf(trail), seq, commit));
  for (const some of batches(words)) await documents.collection(trailWords).write(some);
  await putRows(documents.collection(trailArtifactRows), artifacts);
  await revise(documents, countedTrails, changes);
}

function textsOf(commit: CommitInfo | null): Pick<ListedTrail, 'commit' | 'message' | 'author'> {
  if (commit === null) return {};
  const { sha1, message, author } = commit;
  return {
    commit: plainDigits(sha1),
    ...(message === null ? {} : { message: firstLine(message).toWellFormed() }),
    ...(author === null ? {} : { author: author.slice(0, AUTHOR_MAX).toWellFormed() }),
  };
}

/** Writes the words of a trail. A trail that goes on may have had more words before. */
function wordWrites(trail: string, { org, name }: TrailRow, seq: number, commit: CommitInfo | null): Write<WordRow>[] {
  const words = wordRows(org, trail, [...wordsOfName(name), ...wordsOfCommit(commit)]);
  const writes = [...words].map(([id, doc]): Write<WordRow> => ({ kind: 'forward', id, seq, doc }));
  if (seq === 1) return writes;
  const unused = Array.from({ length: WORD_ROWS_MAX - writes.length }, (_, i) => `${trail}#${writes.length + i}`);
  return [...writes, ...unused.map((id): Write<WordRow> => ({ kind: 'remove', id, seq }))];
}

function touchedBy({ org, flow, createdAt }: TrailRow, fingerprint: string | null): ListChange[] {
  return [
    [trailList({ org }, fingerprint).key, createdAt],
    [trailList({ flow }, fingerprint).key, createdAt],
  ];
}
