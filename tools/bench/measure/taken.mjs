import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { percentile } from './stats.mjs';

/** The collection of the bare consumer. */
export const RAW = 'limit_rows';
const VIEW = 'deployments';
const SETTLED_MS = 600_000;

/**
 * Reads from MongoDB's oplog when commits of environments were appended, and when they were processed by the view of deployments (which writes its
 * checkpoint after its rows) or by the bare consumer.
 */
export class Taken {
  static async open(url) {
    const client = await MongoClient.connect(url, { readConcern: { level: 'majority' } });
    return new Taken(client);
  }

  constructor(client) {
    this.client = client;
    this.db = client.db();
  }

  /** Marks this moment: the time of the server, and the checkpoint of the view in each stream. */
  async mark() {
    const progress = await this.db
      .collection(await this.#progress())
      .find({ _id: /^environment\// })
      .toArray();
    return { time: await this.#now(), seqs: new Map(progress.map(({ _id, seq }) => [_id, seq])) };
  }

  /** The average size of the newest commits of environments (bytes). */
  async commitBytes() {
    const newest = [{ $match: { stream: /^environment\// } }, { $sort: { at: -1 } }, { $limit: 100 }];
    const average = [{ $group: { _id: null, size: { $avg: { $bsonSize: '$$ROOT' } } } }];
    const [{ size }] = await this.db
      .collection('commits')
      .aggregate([...newest, ...average])
      .toArray();
    return Math.round(size);
  }

  /** Waits until the view has processed every commit of an environment. */
  async settled() {
    const newest = [{ $match: { stream: /^environment\// } }, { $group: { _id: '$stream', seq: { $max: '$seq' } } }];
    const all = await this.db.collection('commits').aggregate(newest).toArray();
    const progress = this.db.collection(await this.#progress());
    const filter = { $or: all.map(({ _id, seq }) => ({ _id, seq: { $gte: seq } })) };
    await this.#until(async () => (await progress.countDocuments(filter)) === all.length);
  }

  /** Waits until the bare consumer has a number of rows of environments' commits. */
  async consumed(count) {
    const rows = this.db.collection(RAW);
    await this.#until(async () => (await rows.countDocuments({ stream: /^environment\// })) >= count);
  }

  commits() {
    return this.db.collection('commits').countDocuments({ stream: /^environment\// });
  }

  /** The delay of the view for each commit since a mark, from commit to checkpoint (milliseconds, sorted). */
  async lags({ time }) {
    const committed = new Map();
    const lags = [];
    for (const { kind, stream, seq, at } of await this.#since(time)) {
      if (kind === 'commit') committed.set(stream, [...(committed.get(stream) ?? []), { seq, at }]);
      if (kind !== 'view') continue;
      const open = committed.get(stream) ?? [];
      lags.push(...open.filter((one) => one.seq <= seq).map((one) => at - one.at));
      committed.set(
        stream,
        open.filter((one) => one.seq > seq),
      );
    }
    return lags.sort((a, b) => a - b);
  }

  /**
   * How many commits a second were processed since a mark, from the first to the last.
   *
   * @param {'view' | 'row'} by
   */
  async rate({ time, seqs }, by) {
    const before = new Map(seqs);
    const taken = (await this.#since(time)).filter(({ kind }) => kind === by);
    const first = taken[0].at;
    let count = 0;
    for (const { stream, seq, at } of taken) {
      // One write of the checkpoint may cover several commits of a stream.
      if (at > first) count += by === 'row' ? 1 : seq - (before.get(stream) ?? 0);
      before.set(stream, seq);
    }
    const seconds = (taken.at(-1).at - first) / 1_000;
    return { requests: count, seconds, perSecond: count / seconds };
  }

  close() {
    return this.client.close();
  }

  async #since(time) {
    const progress = await this.#progress();
    const until = await this.#now();
    const fields = ['fullDocument.stream', 'fullDocument.seq', 'updateDescription.updatedFields.seq'];
    const project = ['operationType', 'ns', 'documentKey', 'wallTime', 'clusterTime', ...fields];
    const stream = this.db.watch(
      [
        { $match: { 'ns.coll': { $in: ['commits', RAW, progress] }, operationType: { $in: ['insert', 'update'] } } },
        { $project: Object.fromEntries(project.map((field) => [field, 1])) },
      ],
      { startAtOperationTime: time, batchSize: 5_000, maxAwaitTimeMS: 1 },
    );
    const kinds = { commits: 'commit', [RAW]: 'row', [progress]: 'view' };
    const found = [];
    try {
      for (;;) {
        const change = await stream.tryNext();
        if (change === null || change.clusterTime.greaterThan(until)) return found;
        const kind = kinds[change.ns.coll];
        const seq = change.fullDocument?.seq ?? change.updateDescription?.updatedFields?.seq;
        const name = kind === 'view' ? change.documentKey._id : change.fullDocument?.stream;
        if (!name?.startsWith('environment/')) continue;
        found.push({ kind, stream: name, seq, at: change.wallTime.getTime() });
      }
    } finally {
      await stream.close();
    }
  }

  /** The collection with the checkpoints of the serving generation. */
  async #progress() {
    const found = await this.db.collection('documents_view_generations').findOne({ _id: VIEW });
    const { serving } = JSON.parse(found?.body ?? '{"serving":1}');
    return `documents_progress_${VIEW}${serving === 1 ? '' : `_g${serving}`}`;
  }

  async #now() {
    return (await this.db.command({ ping: 1 })).operationTime;
  }

  async #until(there) {
    for (const until = Date.now() + SETTLED_MS; !(await there()); await sleep(20)) {
      if (Date.now() > until) throw new Error('not all commits were taken in ten minutes');
    }
  }
}

/** p50 and p99 of sorted figures. */
export function lagFigures(lags) {
  return { lag50: percentile(lags, 0.5), lag99: percentile(lags, 0.99) };
}
