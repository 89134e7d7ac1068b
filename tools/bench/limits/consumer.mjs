// The limit for services that write from Kafka to MongoDB: a bare consumer that parses each message and writes one row for it, with one bulk write
// for a batch (majority, journaled), and then commits the offsets. Arguments: MongoDB's URL, Kafka's brokers, and the topic.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { Kafka, logLevel } from 'kafkajs';
import { MongoClient } from 'mongodb';
import { RAW } from '../measure/taken.mjs';

// As in the services: kafkajs by itself sets a timer a thousand times a second.
createRequire(import.meta.url)('../../../libs/storage/kafka/dist/request-queue.js').checkOnlyWaitingRequests();

const [url, brokers, topic] = process.argv.slice(2);
const client = await MongoClient.connect(url, { writeConcern: { w: 'majority', journal: true } });
const rows = client.db().collection(RAW);
const kafka = new Kafka({ clientId: 'limit', brokers: brokers.split(','), logLevel: logLevel.NOTHING });
// The same settings as the service's consumers.
const consumer = kafka.consumer({
  groupId: 'limit',
  sessionTimeout: 10_000,
  heartbeatInterval: 1_000,
  maxWaitTimeInMs: 300,
  retry: { restartOnFailure: () => Promise.resolve(true) },
});
await consumer.connect();
await consumer.subscribe({ topics: [topic], fromBeginning: true });
await consumer.run({
  autoCommit: false,
  eachBatchAutoResolve: false,
  eachBatch: async ({ batch, resolveOffset, commitOffsetsIfNecessary, heartbeat }) => {
    const writes = batch.messages.map(({ value }) => {
      const { id, data } = JSON.parse(value.toString('utf8'));
      const row = { stream: data.stream, seq: data.seq, at: data.at, body: JSON.stringify(data.events) };
      return { updateOne: { filter: { _id: id }, update: { $set: row }, upsert: true } };
    });
    await rows.bulkWrite(writes, { ordered: false });
    const last = batch.messages.at(-1).offset;
    resolveOffset(last);
    const next = { partition: batch.partition, offset: String(BigInt(last) + 1n) };
    await commitOffsetsIfNecessary({ topics: [{ topic, partitions: [next] }] });
    await heartbeat();
  },
});
// Tells the parent process that it runs.
const server = createServer((_, response) => response.end());
server.listen(0, '127.0.0.1', () => console.log(`listens on http://127.0.0.1:${server.address().port}`));
process.once('SIGTERM', () => process.exit(0));
