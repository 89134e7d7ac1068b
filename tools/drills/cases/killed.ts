import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { first, until } from '../../common/api.ts';
import type { Server } from '../../common/server.ts';
import type { Stage } from '../../common/stage.ts';
import type { Drill } from '../drill.ts';

/** How long a supervisor takes to restart a dead process (milliseconds). */
const RESTART_MS = 1_000;

const kafkaOf = ({ kafka }: Stage): Server => first(kafka, 'Kafka');
const primary = ({ mongodb }: Stage): Server => first(mongodb, 'MongoDB');

/** Kills an instance of a service at different moments of its work, and restarts it each time. */
export const killed = (role: 'ingestion' | 'projection') => (drill: Drill) =>
  again(drill, 100, async (i) => {
    const one = drill.stage[role][i % drill.stage[role].length];
    await one?.kill();
    await sleep(RESTART_MS);
    await one?.start();
  });

/** Kills a server and restarts it on the same data. */
export const serverKilled = (which: 'kafka' | 'mongodb') => (drill: Drill) =>
  again(drill, 100, async () => {
    const server = first(drill.stage[which]);
    await server.kill();
    await server.start();
    await drill.during(server.ready());
  });

/** Kills the primary of a replica set, and restarts it when there is a new primary. */
export const primaryKilled = (drill: Drill) =>
  again(drill, 500, async () => {
    const { mongodb } = drill.stage;
    const old = await primaryOf(mongodb);
    await old.kill();
    await drill.during(primaryOf(mongodb));
    await old.start();
    // While one of three is away, the set would lose its majority with the next one.
    const healthy = async () => (await Promise.all(mongodb.map(hello))).every((one) => one.primary || one.secondary);
    await drill.during(until(healthy, Infinity, 100));
  });

/** Breaks something as often as the drill's size says, each time after further reports. */
async function again(drill: Drill, moments: number, breaks: (i: number) => Promise<void>): Promise<void> {
  for (let i = 0; i < drill.size.times; i += 1) {
    await drill.more();
    await sleep(Math.random() * moments);
    await breaks(i);
  }
  await drill.more();
}

/** Kafka stops answering for a while. Reports are still accepted. */
export async function kafkaAway(drill: Drill): Promise<string> {
  const { seconds } = drill.size;
  await drill.more();
  const before = drill.count;
  kafkaOf(drill.stage).freeze();
  await drill.during(sleep(seconds * 1_000));
  const meanwhile = drill.count - before;
  drill.expect(meanwhile > seconds, `${meanwhile} reports were accepted in ${seconds} s without Kafka`);
  kafkaOf(drill.stage).thaw();
  await drill.more();
  return `${meanwhile} reports accepted meanwhile`;
}

/** MongoDB stops answering for a while. Callers get 503 with Retry-After, and are served afterwards. */
export async function mongodbAway(drill: Drill): Promise<string> {
  await drill.more();
  primary(drill.stage).freeze();
  await drill.during(sleep(drill.size.seconds * 1_000));
  primary(drill.stage).thaw();
  await drill.more();
  const refused = drill.refused.get(503) ?? 0;
  // Services retry during a short failure of MongoDB.
  drill.expect(drill.size.seconds < 30 || refused > 0, 'no request got 503 while MongoDB was away');
  return `503 to ${refused} requests`;
}

async function primaryOf(members: readonly Server[]): Promise<Server> {
  for (; ; await sleep(50)) {
    const roles = await Promise.all(members.map(hello));
    const found = members.find((_, i) => roles[i]?.primary);
    if (found !== undefined) return found;
  }
}

async function hello({ ports: [port] }: Server): Promise<{ readonly primary: boolean; readonly secondary: boolean }> {
  const url = `mongodb://127.0.0.1:${port}/?directConnection=true`;
  try {
    await using client = new MongoClient(url, { serverSelectionTimeoutMS: 500 });
    const { isWritablePrimary, secondary } = await client.db('admin').command({ hello: 1 });
    return { primary: isWritablePrimary === true, secondary: secondary === true };
  } catch {
    return { primary: false, secondary: false };
  }
}
