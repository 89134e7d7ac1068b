import * as os from 'node:os';
import { MongoClient } from 'mongodb';
import { freshMongodb } from './mongodb';

it('hands every spec a writable replica set and a database of its own', async () => {
  const { url, database } = freshMongodb();
  expect(freshMongodb().database).not.toBe(database);
  // Left to itself the driver imports `os` in a way that Jest's modules do not allow, and then the server refuses it.
  const client = new MongoClient(url, { runtimeAdapters: { os } });
  try {
    const collection = client.db(database).collection('written', { writeConcern: { w: 'majority', j: true } });
    await collection.insertOne({ a: 1 });
    expect(await collection.countDocuments()).toBe(1);
    await client.db(database).dropDatabase();
  } finally {
    await client.close();
  }
});
