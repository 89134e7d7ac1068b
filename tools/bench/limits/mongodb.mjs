// The limit for services that store or read a report with MongoDB: a bare server that parses the body and, before it answers, inserts one
// document (majority, journaled) or finds one by its key. Arguments: MongoDB's URL, `insert` or `find`, and the bytes of a document.
import { createServer } from 'node:http';
import { MongoClient } from 'mongodb';

const ANSWERS = { insert: 'Report processed, snapshot 1 created', find: 'Report processed, no new snapshot needed' };
const [url, what, bytes] = process.argv.slice(2);
const ANSWER = JSON.stringify(ANSWERS[what]);
/** Reads as many different documents as the service has environments. */
const DOCUMENTS = 128;

const client = await MongoClient.connect(url, {
  writeConcern: { w: 'majority', journal: true },
  readConcern: { level: 'majority' },
});
const collection = client.db('limit').collection(what);
const text = '.'.repeat(Number(bytes));
if (what === 'find') await collection.insertMany(Array.from({ length: DOCUMENTS }, (_, _id) => ({ _id, text })));
let turn = 0;
const act = {
  insert: () => collection.insertOne({ text }),
  find: () => collection.findOne({ _id: turn++ % DOCUMENTS }),
}[what];

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', async () => {
    const body = JSON.parse(Buffer.concat(parts).toString('utf8'));
    if (!Array.isArray(body.artifacts)) throw new Error('not a report');
    await act();
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': ANSWER.length }).end(ANSWER);
  });
});
server.listen(0, '127.0.0.1', () => console.log(`listens on http://127.0.0.1:${server.address().port}`));
process.once('SIGTERM', () => process.exit(0));
