import { type Db, MongoClient } from 'mongodb';
import { first, until } from '../../common/api.ts';
import { setServers } from '../../common/stage.ts';
import type { Kind } from '../bodies.ts';
import { compare } from '../compare.ts';
import { against, cpuSeconds, figureOf, type Goal, type How, type Result } from '../measure.ts';

const ARTIFACTS = 10;
/** The part of what the raw engine does that is needed. */
const NEEDED = { unchanged: 0.7, changed: 0.25 };
const VIEW = 'deployments';
const SETTLED_MS = 600_000;
const OF_ENVIRONMENTS = { stream: /^environment\// };

/** Compares reports of 10 artifacts through the gateway with a bare server that inserts, or finds, one raw document for each. */
export async function scaledReports(kind: Kind, how: How): Promise<Result> {
  await using stage = await setServers(how);
  const { gateway, ingestion, projection, packages, mongodb, kafka, mongodbUrl } = stage;
  await using client = await MongoClient.connect(mongodbUrl, { readConcern: { level: 'majority' } });
  const db = client.db();
  const pids = [gateway, ingestion, projection].map((role) => first(role).pid);
  const everything = [...pids, ...[...packages, ...mongodb, ...kafka].map(({ pid }) => pid)];
  const rival = kind === 'changed' ? 'insert' : 'find';
  const rounds = await compare(
    {
      service: { ...stage, url: first(gateway).url, pid: first(gateway).pid, settled: () => settled(db) },
      pids,
      kind,
      rival,
      count: ARTIFACTS,
      work: () => cpuSeconds(everything) * 1_000,
      args: async () => [mongodbUrl, String(await commitBytes(db))],
    },
    how,
  );
  const name = `${kind} reports on MongoDB and Kafka, ${ARTIFACTS} artifacts`;
  const row = { name, rival: `raw ${rival}s behind one hop`, ...against(rounds, 'service', rival) };
  const least = NEEDED[kind];
  const goals: Goal[] = [{ goal: `scaled, ${kind}: at least ${least} of ${row.rival}`, figure: row.ratio, least }];
  const goal = 'scaled, changed: at most 8 ms of CPU, MongoDB and Kafka included';
  if (kind === 'changed') goals.push({ goal, figure: figureOf(rounds, 'service', 'work'), most: 8 });
  return { rows: [row], goals, rounds: [rounds] };
}

/** The average size of the newest commits of environments (bytes). */
async function commitBytes(db: Db): Promise<number> {
  const newest = [{ $match: OF_ENVIRONMENTS }, { $sort: { at: -1 } }, { $limit: 100 }];
  const average = { $group: { _id: null, size: { $avg: { $bsonSize: '$$ROOT' } } } };
  const sizes = await db
    .collection('commits')
    .aggregate<{ size: number }>([...newest, average])
    .toArray();
  return Math.round(first(sizes).size);
}

/** Waits until the view of deployments has processed all commits of environments. */
async function settled(db: Db): Promise<void> {
  const commits = await db.collection('commits').countDocuments(OF_ENVIRONMENTS);
  if (await until(async () => (await processed(db)) >= commits, SETTLED_MS, 20)) return;
  throw new Error('not all commits were processed in ten minutes');
}

/** How many of them the generation of the view that serves has processed. The first commit of a stream has the number 1. */
async function processed(db: Db): Promise<number> {
  const documents = (name: string) => db.collection<{ _id: string; body: string }>(`documents_${name}`);
  const { body = '{"serving":1}' } = (await documents('view_generations').findOne({ _id: VIEW })) ?? {};
  const { serving } = JSON.parse(body) as { serving: number };
  const streams = await documents('taken_streams').find({ _id: OF_ENVIRONMENTS.stream }).toArray();
  type Taken = { readonly taken: Readonly<Record<string, Readonly<Record<number, number>>>> };
  return streams.reduce((sum, { body }) => sum + ((JSON.parse(body) as Taken).taken[VIEW]?.[serving] ?? 0), 0);
}
