import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';

/** Kills a server and starts it again on the same data. */
export function serverKilled(which) {
  return async ({ stage, clients, times }) => {
    const server = which === 'kafka' ? stage.kafka : stage.mongodb[0];
    for (let i = 0; i < times; i += 1) {
      await clients.during(clients.ledger.more(20));
      await sleep(Math.random() * 100);
      await server.kill();
      await server.start();
      await clients.during(server.ready());
    }
    await clients.during(clients.ledger.more(20));
  };
}

/** Kafka answers nothing for a while: reports are taken all the same. */
export async function kafkaAway({ stage, clients, seconds, expect }) {
  await clients.during(clients.ledger.more(20));
  const before = clients.ledger.count;
  stage.kafka.freeze();
  await clients.during(sleep(seconds * 1_000));
  const meanwhile = clients.ledger.count - before;
  expect(meanwhile > seconds, `${meanwhile} reports were accepted in ${seconds} s without Kafka`);
  stage.kafka.thaw();
  await clients.during(clients.ledger.more(20));
  return `${meanwhile} reports accepted meanwhile`;
}

/** MongoDB answers nothing for a while: callers are told to come again, and then are served. */
export async function mongodbAway({ stage, clients, seconds, expect }) {
  await clients.during(clients.ledger.more(20));
  stage.mongodb[0].freeze();
  await clients.during(sleep(seconds * 1_000));
  stage.mongodb[0].thaw();
  await clients.during(clients.ledger.more(20));
  const told = clients.ledger.refused.get(503) ?? 0;
  // A short time without MongoDB is bridged.
  if (seconds >= 30) expect(told > 0, 'no request got 503 while MongoDB was away');
  return `503 to ${told} requests`;
}

/** Kills whichever member of a replica set is its primary, and starts it again once there is a new one. */
export async function primaryKilled({ stage, clients, times }) {
  for (let i = 0; i < times; i += 1) {
    await clients.during(clients.ledger.more(10));
    await sleep(Math.random() * 500);
    const primary = await primaryOf(stage);
    await primary.kill();
    await clients.during(primaryOf(stage));
    await primary.start();
    await clients.during(healthy(stage));
  }
  await clients.during(clients.ledger.more(20));
}

/** The log from which the relay would go on is gone when it comes back. */
export async function oplogRolled({ stage, clients, expect }) {
  await clients.during(clients.ledger.more(20));
  stage.kafka.freeze();
  // Committed, and known to nobody but MongoDB.
  await clients.during(clients.ledger.more(20));
  await Promise.all(stage.ingestion.map((one) => one.kill()));
  stage.kafka.thaw();
  const megabytes = await rolledOver(stage.mongodbUrl);
  await Promise.all(stage.ingestion.map((one) => one.start()));
  await clients.during(clients.ledger.more(20));
  expect(megabytes > 0, 'the oplog was not rolled over');
  return `${megabytes} MB written over it`;
}

/** Writes until the oplog has forgotten all that it has now. */
async function rolledOver(url) {
  const client = new MongoClient(url);
  try {
    const admin = client.db('admin');
    const oplog = client.db('local').collection('oplog.rs');
    const time = async (way) => (await oplog.find().sort({ $natural: way }).limit(1).next()).ts;
    const newest = await time(-1);
    // Only what a checkpoint covers is forgotten: one a second, in the place of one a minute.
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

/** Every member is a primary or a secondary: with one of three away, the next that dies would take the majority with it. */
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
