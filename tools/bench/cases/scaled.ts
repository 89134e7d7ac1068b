import { MongoClient } from 'mongodb';
import { first } from '../../common/api.ts';
import { setServers, type Stage } from '../../common/stage.ts';
import type { Kind } from '../bodies.ts';
import { compare, type Reported } from '../compare.ts';
import { against, cpuSeconds, type Goal, type How, quiet, type Result } from '../measure.ts';

const ARTIFACTS = 10;
/** The part of what the raw engine does that is needed. */
const NEEDED = { unchanged: 0.7, changed: 0.25 };

/** Compares reports of 10 artifacts through the gateway with a bare server that inserts, or finds, one raw document for each. */
export async function scaledReports(kind: Kind, how: How): Promise<Result> {
  await using stage = await setServers(how);
  const rival = kind === 'changed' ? 'insert' : 'find';
  const args = async () => [stage.mongodbUrl, String(await commitBytes(stage.mongodbUrl))];
  const rounds = await compare(onServices(stage), { kind, count: ARTIFACTS, rival, args }, how);
  const name = `${kind} reports on MongoDB and Kafka, ${ARTIFACTS} artifacts`;
  const row = { name, rival: `raw ${rival}s behind one hop`, ...against(rounds, 'service', rival) };
  const least = NEEDED[kind];
  const goals: Goal[] = [{ goal: `scaled, ${kind}: at least ${least} of ${row.rival}`, figure: row.ratio, least }];
  return { rows: [row], goals, rounds: [rounds] };
}

/** Measures the CPU of all processes as the work (milliseconds). The figure `cpu` is that of the services a report passes. */
export function onServices(stage: Stage): Reported {
  const { gateway, ingestion, projection, packages, mongodb, kafka } = stage;
  const { pid, url } = first(gateway);
  const pids = [gateway, ingestion, projection].map((role) => first(role).pid);
  const withMongodb = [...pids, ...mongodb.map((one) => one.pid)];
  const everything = [...withMongodb, ...[...packages, ...kafka].map((one) => one.pid)];
  const service = { ...stage, url, pid, settled: () => quiet(withMongodb) };
  return { service, pids, work: () => cpuSeconds(everything) * 1_000 };
}

/** The average size of the newest commits of environments (bytes). */
async function commitBytes(url: string): Promise<number> {
  await using client = await MongoClient.connect(url, { readConcern: { level: 'majority' } });
  const newest = [{ $match: { stream: /^environment\// } }, { $sort: { at: -1 } }, { $limit: 100 }];
  const average = { $group: { _id: null, size: { $avg: { $bsonSize: '$$ROOT' } } } };
  const sizes = await client
    .db()
    .collection('commits')
    .aggregate<{ size: number }>([...newest, average])
    .toArray();
  return Math.round(first(sizes).size);
}
