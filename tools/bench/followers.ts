import { type Db, MongoClient } from 'mongodb';
import { first, until } from '../common/api.ts';

/** The collection of the bare consumer. */
export const RAW = 'limit_rows';
const VIEW = 'deployments';
const SETTLED_MS = 600_000;
const OF_ENVIRONMENTS = { stream: /^environment\// };

/** Commits of environments in MongoDB, and how far the view of deployments and the bare consumer have processed them. */
export class Followers {
  readonly db: Db;
  readonly #client: MongoClient;

  static async open(url: string): Promise<Followers> {
    return new Followers(await MongoClient.connect(url, { readConcern: { level: 'majority' } }));
  }

  constructor(client: MongoClient) {
    this.#client = client;
    this.db = client.db();
  }

  commits(): Promise<number> {
    return this.db.collection('commits').countDocuments(OF_ENVIRONMENTS);
  }

  /** The average size of the newest commits (bytes). */
  async commitBytes(): Promise<number> {
    const newest = [{ $match: OF_ENVIRONMENTS }, { $sort: { at: -1 } }, { $limit: 100 }];
    const average = { $group: { _id: null, size: { $avg: { $bsonSize: '$$ROOT' } } } };
    const commits = this.db.collection('commits');
    return Math.round(first(await commits.aggregate<{ size: number }>([...newest, average]).toArray()).size);
  }

  /** How many commits the view, or the bare consumer, has processed. */
  async processed(by: 'view' | 'consumer'): Promise<number> {
    if (by === 'consumer') return this.db.collection(RAW).countDocuments(OF_ENVIRONMENTS);
    // In the collection of the generation that serves.
    const generations = this.db.collection<{ _id: string; body: string }>('documents_view_generations');
    const { body = '{"serving":1}' } = (await generations.findOne({ _id: VIEW })) ?? {};
    const { serving } = JSON.parse(body) as { serving: number };
    const name = `documents_progress_${VIEW}${serving === 1 ? '' : `_g${serving}`}`;
    // The first commit of a stream has the number 1.
    const sum = [{ $match: { _id: OF_ENVIRONMENTS.stream } }, { $group: { _id: null, sum: { $sum: '$seq' } } }];
    const [found] = await this.db.collection(name).aggregate<{ sum: number }>(sum).toArray();
    return found?.sum ?? 0;
  }

  /** Waits until it has processed all commits. */
  async settled(by: 'view' | 'consumer' = 'view'): Promise<void> {
    const commits = await this.commits();
    if (await until(async () => (await this.processed(by)) >= commits, SETTLED_MS, 20)) return;
    throw new Error('not all commits were processed in ten minutes');
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}
