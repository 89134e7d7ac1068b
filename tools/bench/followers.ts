import { type Db, MongoClient } from 'mongodb';
import { first, until } from '../common/api.ts';

const VIEW = 'deployments';
const SETTLED_MS = 600_000;
const OF_ENVIRONMENTS = { stream: /^environment\// };

/** How far generations of views took a stream. */
interface Taken {
  readonly taken: Readonly<Record<string, Readonly<Record<number, number>>>>;
}

/** Commits of environments in MongoDB, and how many of them the view of deployments has processed. */
export class Followers {
  readonly #db: Db;
  readonly #client: MongoClient;

  static async open(url: string): Promise<Followers> {
    return new Followers(await MongoClient.connect(url, { readConcern: { level: 'majority' } }));
  }

  constructor(client: MongoClient) {
    this.#client = client;
    this.#db = client.db();
  }

  /** The average size of the newest commits (bytes). */
  async commitBytes(): Promise<number> {
    const newest = [{ $match: OF_ENVIRONMENTS }, { $sort: { at: -1 } }, { $limit: 100 }];
    const average = { $group: { _id: null, size: { $avg: { $bsonSize: '$$ROOT' } } } };
    const commits = this.#db.collection('commits');
    return Math.round(first(await commits.aggregate<{ size: number }>([...newest, average]).toArray()).size);
  }

  async #processed(): Promise<number> {
    // In the collection of the generation that serves.
    const generations = this.#db.collection<{ _id: string; body: string }>('documents_view_generations');
    const { body = '{"serving":1}' } = (await generations.findOne({ _id: VIEW })) ?? {};
    const { serving } = JSON.parse(body) as { serving: number };
    const streams = this.#db.collection<{ _id: string; body: string }>('documents_taken_streams');
    const found = await streams.find({ _id: OF_ENVIRONMENTS.stream }).toArray();
    const taken = found.map(({ body }) => (JSON.parse(body) as Taken).taken[VIEW]?.[serving] ?? 0);
    // The first commit of a stream has the number 1.
    return taken.reduce((sum, seq) => sum + seq, 0);
  }

  /** Waits until the view has processed all commits. */
  async settled(): Promise<void> {
    const commits = await this.#db.collection('commits').countDocuments(OF_ENVIRONMENTS);
    if (await until(async () => (await this.#processed()) >= commits, SETTLED_MS, 20)) return;
    throw new Error('not all commits were processed in ten minutes');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#client.close();
  }
}
