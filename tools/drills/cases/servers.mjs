import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';

/** Kills a server and restarts it on the same data. */
export function serverKilled(which) {
  return async ({ stage, clients, times, reports }) => {
    const server = which === 'kafka' ? stage.kafka : stage.mongodb[0];
    for (let i = 0; i < times; i += 1) {
      await clients.during(clients.ledger.more(reports));
      await sleep(Math.random() * 100);
      await server.kill();
      await server.start();
      await clients.during(server.ready());
    }
    await clients.during(clients.ledger.more(reports));
  };
}

/** Kafka stops answering for a while. Reports are still accepted. */
export async function kafkaAway({ stage, clients, seconds, reports, expect }) {
  await clients.during(clients.ledger.more(reports));
  const before = clients.ledger.count;
  stage.kafka.freeze();
  await clients.during(sleep(seconds * 1_000));
  const meanwhile = clients.ledger.count - before;
  expect(meanwhile > seconds, `${meanwhile} reports were accepted in ${seconds} s without Kafka`);
  stage.kafka.thaw();
  await clients.during(clients.ledger.more(reports));
  return `${meanwhile} reports accepted meanwhile`;
}

/** MongoDB stops answering for a while. Callers get 503 with Retry-After, and are served afterwards. */
export async function mongodbAway({ stage, clients, seconds, reports, expect }) {
  await clients.during(clients.ledger.more(reports));
  stage.mongodb[0].freeze();
  await clients.during(sleep(seconds * 1_000));
  stage.mongodb[0].thaw();
  await clients.during(clients.ledger.more(reports));
  const told = clients.ledger.refused.get(503) ?? 0;
  // Services retry during a short failure of MongoDB.
  if (seconds >= 30) expect(told > 0, 'no request got 503 while MongoDB was away');
  return `503 to ${told} requests`;
}

/** Kills the primary of a replica set, and restarts it when there is a new primary. */
export async function primaryKilled({ stage, clients, times, reports }) {
  for (let i = 0; i < times; i += 1) {
    await clients.during(clients.ledger.more(reports));
    await sleep(Math.random() * 500);
    const primary = await primaryOf(stage);
    await primary.kill();
    await clients.during(primaryOf(stage));
    await primary.start();
    await clients.during(healthy(stage));
  }
  await clients.during(clients.ledger.more(reports));
}

/** The relay comes back after MongoDB has discarded the part of the oplog at which it would continue. */
export async function oplogRolled({ stage, clients, reports, expect }) {
  await clients.during(clients.ledger.more(reports));
  stage.kafka.freeze();
  // These commits are in MongoDB only.
  await clients.during(clients.ledger.more(reports));
  await Promise.all(stage.ingestion.map((one) => one.kill()));
  stage.kafka.thaw();
  const megabytes = await rolledOver(stage.mongodbUrl);
  await Promise.all(stage.ingestion.map((one) => one.start()));
  await clients.during(clients.ledger.more(reports));
  expect(megabytes > 0, 'the oplog was not rolled over');
  return `${megabytes} MB written over it`;
}

/** Writes until the oplog has discarded everything that it has now. */
async function rolledOver(url) {
  const client = new MongoClient(url);
  try {
    const admin = client.db('admin');
    const oplog = client.db('local').collection('oplog.rs');
    const time = async (way) => (await oplog.find().sort({ $natural: way }).limit(1).next()).ts;
    const newest = await time(-1);
    // MongoDB discards only what a checkpoint covers, so it makes one each second instead of each minute.
    await admin.command({ setParameter: 1, syncdelay: 1 });
    const junk = client.db('junk').collection('junk');
    const page = () => Array.from({ length: 14 }, () => ({ text: 'x'.repeat(1024 * 1024) }));
    let megabytes = 0;
    for (; (await time(1)).lessThanOrEqual(newest); megabytes += 14) {
      await junk.insertMany(page());
      await sleep(200);
    }
    await client.db('junk').dropDatabase();
    await admin.command({ setParameter: 1, syncdelay: 60 });
    return megabytes;
  } finally {
    await client.close();
  }
}

async function primaryOf(stage) {
  for (;;) {
    const found = await Promise.all(
      stage.mongodb.map(async (one) => ((await hello(one))?.isWritablePrimary ? one : null)),
    );
    const primary = found.find((one) => one !== null);
    if (primary !== undefined) return primary;
    await sleep(50);
  }
}

/** Waits until every member is a primary or a secondary. While one of three is away, the set would lose its majority with the next one. */
async function healthy(stage) {
  for (; ; await sleep(100)) {
    const all = await Promise.all(stage.mongodb.map(hello));
    if (all.every((one) => one?.isWritablePrimary || one?.secondary)) return;
  }
}

async function hello({ ports: [port] }) {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 500,
  });
  try {
    return await client.db('admin').command({ hello: 1 });
  } catch {
    return null;
  } finally {
    await client.close();
  }
}
