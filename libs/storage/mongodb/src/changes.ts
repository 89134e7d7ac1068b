import {
  type ChangeStream,
  type ChangeStreamInsertDocument,
  type Collection,
  type Db,
  type FindCursor,
  MongoServerError,
  type ResumeToken,
  Timestamp,
} from 'mongodb';
import type { StreamCheckpoint } from '@assurance/event-sourcing/checkpoints/checkpoint';
import {
  CannotResume,
  type ChangeBatch,
  type ChangeLog,
  type Changes,
  type ChangeSource,
  type PlacesBatch,
} from '@assurance/event-sourcing/relay/change-source';
import type { Commit } from '@assurance/storage-ports';
import { type CommitRecord, toCommit } from './commit-record';
import { portErrorOf } from './faults';
import type { Persist } from './persist';
import { serverTime } from './server-time';

/** The limit of changes that wait for the reader. At the limit, the change stream is not read further. */
const WAITING_MAX = 500;
const WAIT_MS = 1_000;
/** A reader of existing changes does not wait for new ones (milliseconds). */
const NO_WAIT_MS = 1;
const PAGE = 500;
/** Codes of errors: the oplog no longer has the position, or the token belongs to another history. */
const GONE = [222, 260, 280, 286];

type Insert = ChangeStreamInsertDocument<CommitRecord>;
type StartPoint = { readonly resumeAfter: ResumeToken } | { readonly startAtOperationTime: Timestamp };

/** The changes of the collection `commits` by its change stream, in the order in which the replica set accepted the commits. */
export function changesOf(db: Db, persist: Persist): ChangeSource & ChangeLog {
  const records = db.collection<CommitRecord>('commits');
  const watch = (begin: StartPoint, maxAwaitTimeMS: number) => {
    const options = { ...begin, batchSize: WAITING_MAX, maxAwaitTimeMS };
    return records.watch<CommitRecord, Insert>([{ $match: { operationType: 'insert' } }], options);
  };
  return {
    async follow(after) {
      // By default a stream begins when it is first read. With the server's time as its start, it begins now.
      const begin = after === null ? { startAtOperationTime: await serverTime(db, persist) } : startPointOf(after);
      return new FollowedChanges(watch(begin, WAIT_MS));
    },
    now: async () => JSON.stringify({ since: String(await serverTime(db, persist)) }),
    since: (at) => commitsSince(records, at),
    all: () => allPositions(records),
    async *after(position) {
      const until = await serverTime(db, persist);
      const stream = watch(startPointOf(position), NO_WAIT_MS);
      try {
        yield* changesUpTo(until, stream, position);
      } catch (error) {
        throw faultOf(error);
      } finally {
        await stream.close().catch(() => undefined);
      }
    },
  };
}

/**
 * The start of a change stream: after a change, or at a time of the server.
 *
 * @throws CannotResume if the position is not from a change stream
 */
function startPointOf(position: string): StartPoint {
  if (!position.startsWith('{')) throw new CannotResume('the position is none of this engine');
  const token = JSON.parse(position) as { readonly since?: string };
  return token.since === undefined
    ? { resumeAfter: token as ResumeToken }
    : { startAtOperationTime: new Timestamp(BigInt(token.since)) };
}

/** The changes up to a time. The server searches all existing changes before it gives an empty answer. So after one, there are no more. */
async function* changesUpTo(
  until: Timestamp,
  stream: ChangeStream<CommitRecord, Insert>,
  begin: string,
): AsyncGenerator<PlacesBatch> {
  let places: StreamCheckpoint[] = [];
  for (let position = begin; ;) {
    const change = await stream.tryNext();
    if (change === null) position = JSON.stringify(stream.resumeToken);
    if (change === null || change.clusterTime?.greaterThan(until) === true) return yield { places, position };
    const { stream: name, seq, hash } = change.fullDocument;
    places.push({ stream: name, seq, hash });
    position = JSON.stringify(change._id);
    if (places.length < WAITING_MAX) continue;
    yield { places, position };
    places = [];
  }
}

/** Translates an error of a change stream to the relay's error, or to an error of the port. */
function faultOf(error: unknown): unknown {
  const isLost = error instanceof MongoServerError && GONE.includes(Number(error.code));
  return isLost ? new CannotResume('the changes after this position are gone', { cause: error }) : portErrorOf(error);
}

const BY_STREAM = { stream: 1, seq: 1 } as const;

function commitsSince(records: Collection<CommitRecord>, at: number): AsyncGenerator<readonly Commit[]> {
  const cursor =
    at === 0
      ? records.find({}, { sort: BY_STREAM })
      : records.find({ at: { $gte: at } }, { sort: BY_STREAM, allowDiskUse: true });
  return pagesOf(cursor.map(toCommit));
}

function allPositions(records: Collection<CommitRecord>): AsyncGenerator<readonly StreamCheckpoint[]> {
  const projection = { _id: 0, stream: 1, seq: 1, hash: 1 } as const;
  return pagesOf(records.find({}, { sort: BY_STREAM }).project<StreamCheckpoint>(projection));
}

async function* pagesOf<T>(cursor: FindCursor<T>): AsyncGenerator<readonly T[]> {
  let page: T[] = [];
  try {
    for await (const document of cursor) {
      page.push(document);
      if (page.length === PAGE) {
        yield page;
        page = [];
      }
    }
  } catch (error) {
    throw portErrorOf(error);
  } finally {
    await cursor.close();
  }
  if (page.length > 0) yield page;
}

class FollowedChanges implements Changes {
  private waitingInserts: Insert[] = [];
  private fault: unknown;
  private closed = false;
  private wake: () => void = () => undefined;
  private resolveRead: () => void = () => undefined;
  private readonly readLoop: Promise<void>;

  constructor(private readonly stream: ChangeStream<CommitRecord, Insert>) {
    this.readLoop = this.read();
  }

  async next(): Promise<ChangeBatch | null> {
    if (this.waitingInserts.length === 0 && this.fault === undefined) await this.waitForChange();
    const last = this.waitingInserts.at(-1);
    if (last === undefined) {
      if (this.fault !== undefined) throw this.fault;
      return null;
    }
    const commits = this.waitingInserts.map(({ fullDocument }) => toCommit(fullDocument));
    this.waitingInserts = [];
    this.resolveRead();
    return { commits, position: JSON.stringify(last._id) };
  }

  async close(): Promise<void> {
    this.closed = true;
    this.resolveRead();
    await this.stream.close().catch(() => undefined);
    await this.readLoop;
  }

  private async read(): Promise<void> {
    try {
      while (!this.closed) {
        if (this.waitingInserts.length >= WAITING_MAX) {
          await new Promise<void>((resolve) => (this.resolveRead = resolve));
          continue;
        }
        const change = await this.stream.next();
        this.waitingInserts.push(change);
        this.wake();
      }
    } catch (error) {
      if (this.closed) return;
      this.fault = faultOf(error);
      this.wake();
    }
  }

  private async waitForChange(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      timer = setTimeout(resolve, WAIT_MS);
    });
    clearTimeout(timer);
  }
}
