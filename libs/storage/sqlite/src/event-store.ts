import { createHash } from 'node:crypto';
import { StringDecoder } from 'node:string_decoder';
import { commitHash } from '@assurance/event-sourcing/sealing/seal';
import { byteLength, yieldToOthers } from '@assurance/kernel';
import {
  type AppendOutcome,
  type Commit,
  COMMIT_BYTES_MAX,
  type CommitPage,
  CommitTooLarge,
  type EventStore,
  type StreamPosition,
} from '@assurance/storage-ports';
import { commitsAfter } from './commits-after';
import { fromKey, toKey } from './key';
import type { Reader } from './reader';
import type { RecentCommits } from './recent-commits';
import type { WriteQueue } from './write-queue';

const READ_MAX = 1_000;
const PAGE_BYTES_MAX = 8 * 1024 * 1024;
const HASH_BYTES = 1024 * 1024;
const CHUNKS_A_READ = 8;
/** Commits of a removed stream that one transaction deletes. */
const REMOVED_AT_ONCE = 200;

/** The event store in the SQLite file. Each commit is a row of JSON text. The feed delivers commits in their order of insertion. */
export class SqliteEventStore implements EventStore {
  constructor(
    private readonly reader: Reader,
    private readonly writes: WriteQueue,
    private readonly recent: RecentCommits,
    private readonly onAppend: () => void,
  ) {}

  async append(commit: Commit): Promise<AppendOutcome> {
    const { id, stream, seq, at, actor, prev, index } = commit;
    if (!Number.isSafeInteger(seq) || seq < 1)
      throw new RangeError(`a commit's seq is a whole number from 1, not ${seq}`);
    const body = JSON.stringify(commit);
    const bytes = byteLength(body);
    if (bytes > COMMIT_BYTES_MAX) {
      throw new CommitTooLarge(`${stream}#${seq} has ${bytes} bytes, more than ${COMMIT_BYTES_MAX}`);
    }
    const names = { stream: toKey(stream), id: toKey(id), actor: toKey(actor) };
    const row = { ...names, seq, at, snapshot: index?.snapshot ?? null, prev, hash: commitHash(commit), body };
    const endAppend = this.recent.begin(stream, bytes);
    let appendedCommit: Commit | null = null;
    try {
      const outcome = await this.writes.submit({ kind: 'append', commit: row });
      if (typeof outcome === 'number') {
        appendedCommit = commit;
        this.recent.notePosition(outcome, { commit, bytes });
        this.onAppend();
        return 'appended';
      }
      return outcome === 'there' ? 'appended' : outcome;
    } finally {
      endAppend(appendedCommit);
    }
  }

  async newest(stream: string): Promise<Commit | null> {
    const cachedCommit = this.recent.newest(stream);
    if (cachedCommit !== undefined) return cachedCommit;
    const sql = 'SELECT body FROM commits WHERE stream = ? ORDER BY seq DESC LIMIT 1';
    const row = this.reader.get<Body>(sql, [toKey(stream)]);
    if (row === undefined) return null;
    const commit = parse(row);
    this.recent.read(commit, byteLength(row.body));
    return commit;
  }

  async read(stream: string, from: number, limit: number): Promise<Commit[]> {
    checkLimit(limit);
    return this.reader
      .all<Body>('SELECT body FROM commits WHERE stream = ? AND seq >= ? ORDER BY seq LIMIT ? + 0', [
        toKey(stream),
        from,
        limit,
      ])
      .map(parse);
  }

  async bySnapshot(stream: string, snapshot: number): Promise<Commit | null> {
    const first = this.firstPlace(stream, (place) => place.snapshot >= snapshot);
    return first?.snapshot === snapshot ? this.commitAt(stream, first.seq) : null;
  }

  async asOf(stream: string, at: number): Promise<Commit | null> {
    const laterPlace = this.firstPlace(stream, (place) => place.at > at);
    const last = laterPlace === null ? this.lastSeq(stream) : laterPlace.seq - 1;
    return last === 0 ? null : this.commitAt(stream, last);
  }

  /**
   * Finds the first commit of a stream for which a condition holds, by binary search. The condition must hold for all later commits too. Times and
   * snapshots never decrease within a stream.
   */
  private firstPlace(stream: string, holds: (place: CommitKey) => boolean): CommitKey | null {
    // A commit without a snapshot has the snapshot of the commit before it.
    const before = `SELECT snapshot FROM commits WHERE stream = one.stream AND seq < one.seq AND snapshot IS NOT NULL ORDER BY seq DESC LIMIT 1`;
    const sql = `SELECT seq, at, ifnull(snapshot, ifnull((${before}), 0)) AS snapshot FROM commits AS one WHERE stream = ? AND seq = ?`;
    const key = toKey(stream);
    let results: CommitKey | null = null;
    for (let [from, to] = [1, this.lastSeq(stream)]; from <= to;) {
      const seq = Math.floor((from + to) / 2);
      const place = this.reader.get<CommitKey>(sql, [key, seq]);
      if (place === undefined || !holds(place)) from = seq + 1;
      else [results, to] = [place, seq - 1];
    }
    return results;
  }

  private lastSeq(stream: string): number {
    const sql = 'SELECT max(seq) AS seq FROM commits WHERE stream = ?';
    return this.reader.get<{ seq: number | null }>(sql, [toKey(stream)])?.seq ?? 0;
  }

  private commitAt(stream: string, seq: number): Commit | null {
    return this.readCommit('SELECT body FROM commits WHERE stream = ? AND seq = ?', [toKey(stream), seq]);
  }

  async recentOf(actor: string, since: number, kinds: ReadonlySet<string>): Promise<StreamPosition[]> {
    // '0' is the character after '/'.
    const ranges = [...kinds].flatMap((kind) => [`${kind}/`, `${kind}0`]).map(toKey);
    const isOfKind = [...kinds].map(() => '(stream >= ? AND stream < ?)').join(' OR ');
    const sql = `SELECT stream, max(seq) AS seq FROM commits WHERE actor = ? AND at >= ? AND (${isOfKind}) GROUP BY stream`;
    return this.reader
      .all<StreamPosition>(sql, [toKey(actor), since, ...ranges])
      .map(({ stream, seq }) => ({ stream: fromKey(stream), seq }));
  }

  async scan(after: string | null, limit: number): Promise<CommitPage> {
    checkLimit(limit);
    // A cursor has the position and the end of the scan. A new scan begins at 0 and ends at the last position.
    const [from = 0, until = this.lastPosition()] = after?.split(' ').map(Number) ?? [];
    const { commits, last } = await commitsAfter(this.reader, null, from, limit, PAGE_BYTES_MAX, until);
    return last < until ? { commits, next: `${last} ${until}` } : { commits, next: null, since: String(until) };
  }

  /** The position at which a new scan ends, regardless of later commits. */
  private lastPosition(): number {
    const sql = 'SELECT max(position) AS position FROM commits';
    return this.reader.get<{ position: number | null }>(sql, [])?.position ?? 0;
  }

  async putData(org: string, text: string): Promise<string> {
    // `Buffer.from` may return a part of a shared buffer; this never does.
    const bytes = new TextEncoder().encode(text);
    const digest = await digestOf(bytes);
    // A readable row is on disk already: its transaction was synced before it became visible.
    if (this.chunksOf(org, digest) === null) await this.writes.submit({ kind: 'data', org: toKey(org), digest, bytes });
    return digest;
  }

  async readData(org: string, digest: string): Promise<string | null> {
    const chunks = this.chunksOf(org, digest);
    if (chunks === null) return null;
    const decoder = new StringDecoder('utf8');
    let text = '';
    for (let number = 0; number < chunks; number += CHUNKS_A_READ) {
      if (number > 0) await yieldToOthers();
      const rows = this.reader.all<{ bytes: Uint8Array }>(
        'SELECT bytes FROM data_chunks WHERE org = ? AND digest = ? AND number >= ? AND number < ? ORDER BY number',
        [toKey(org), digest, number, number + CHUNKS_A_READ],
      );
      for (const { bytes } of rows)
        text += decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    }
    return text;
  }

  async dropData(stream: string, seq: number, digests: readonly string[]): Promise<void> {
    try {
      await this.writes.submit({ kind: 'undata', stream: toKey(stream), seq, digests });
    } finally {
      this.recent.forgetRewritten(stream);
    }
  }

  async removeStream(stream: string): Promise<void> {
    const operation = { kind: 'unstream', stream: toKey(stream), commits: REMOVED_AT_ONCE } as const;
    try {
      while ((await this.writes.submit(operation)) === REMOVED_AT_ONCE);
    } finally {
      this.recent.forgetRewritten(stream);
    }
  }

  async removeData(org: string, digest: string): Promise<void> {
    await this.writes.submit({ kind: 'remove-data', org, digest });
  }

  private chunksOf(org: string, digest: string): number | null {
    const sql = 'SELECT chunks FROM data WHERE org = ? AND digest = ?';
    return this.reader.get<{ chunks: number }>(sql, [toKey(org), toKey(digest)])?.chunks ?? null;
  }

  private readCommit(sql: string, values: readonly (string | number)[]): Commit | null {
    const row = this.reader.get<Body>(sql, values);
    return row === undefined ? null : parse(row);
  }
}

/** The columns by which commits of a stream are searched. */
interface CommitKey {
  readonly seq: number;
  readonly at: number;
  /** 0: none. */
  readonly snapshot: number;
}

interface Body {
  readonly body: string;
}

function parse({ body }: Body): Commit {
  return JSON.parse(body) as Commit;
}

function checkLimit(limit: number): void {
  if (!(limit >= 1 && limit <= READ_MAX)) throw new RangeError(`a limit is 1 to ${READ_MAX}, not ${limit}`);
}

/** SHA-256 of a text. A large text is hashed in pieces, with other work in between. */
async function digestOf(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  for (let from = 0; from < bytes.length; from += HASH_BYTES) {
    if (from > 0) await yieldToOthers();
    hash.update(bytes.subarray(from, from + HASH_BYTES));
  }
  return hash.digest('hex');
}
