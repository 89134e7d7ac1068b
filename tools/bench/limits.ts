// Bare servers on engines and files as they are, which the service is compared with: node limits.ts NAME ARGUMENT …
import { fdatasync, openSync, writev } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import { range } from '../common/api.ts';
import { type Child, startChild } from '../common/child.ts';

type Answer = string | Promise<string>;
const STORED = JSON.stringify('Report processed, snapshot 1 created');
const FOUND = JSON.stringify('Report processed, no new snapshot needed');
/** Reads as many different documents as the service has environments. */
const DOCUMENTS = 128;
const DURABLE = { writeConcern: { w: 'majority', journal: true } } as const;

const LIMITS: Readonly<Record<string, (...args: string[]) => Promise<(body: Buffer) => Answer>>> = {
  /** Receives JSON: reads the body, parses it and answers. It stores nothing. */
  parser: async () => (body) => {
    parse(body);
    return FOUND;
  },
  /** Appends the bytes of a commit to a file and syncs them. Reports that arrive during a sync are the next group, without a timer. */
  journal: async (file = '', bytes) => {
    const record = Buffer.alloc(Number(bytes), '.');
    const journal = openSync(file, 'a');
    const [append, sync] = [promisify(writev), promisify(fdatasync)];
    let waiting: ((answer: string) => void)[] = [];
    let writing = false;
    const write = async (): Promise<void> => {
      writing = true;
      while (waiting.length > 0) {
        const group = waiting;
        waiting = [];
        const records = group.map(() => record);
        await append(journal, records);
        await sync(journal);
        for (const done of group) done(STORED);
      }
      writing = false;
    };
    return (body) => {
      parse(body);
      const written = new Promise<string>((done) => waiting.push(done));
      if (!writing) void write();
      return written;
    };
  },
  /** Inserts one document into MongoDB (majority, journaled). */
  insert: async (url = '', bytes) => {
    const collection = (await MongoClient.connect(url, DURABLE)).db('limit').collection('insert');
    const text = '.'.repeat(Number(bytes));
    return async (body) => {
      parse(body);
      await collection.insertOne({ text });
      return STORED;
    };
  },
  /** Finds one document of MongoDB by its key. */
  find: async (url = '', bytes) => {
    const client = await MongoClient.connect(url, { ...DURABLE, readConcern: { level: 'majority' } });
    const collection = client.db('limit').collection<{ _id: number; text: string }>('find');
    const text = '.'.repeat(Number(bytes));
    await collection.insertMany(range(DOCUMENTS).map((_id) => ({ _id, text })));
    let turn = 0;
    return async (body) => {
      parse(body);
      await collection.findOne({ _id: turn++ % DOCUMENTS });
      return FOUND;
    };
  },
};

/** Starts one of them in a process of its own. */
export const startLimit = (name: string, ...args: readonly string[]): Promise<Child> =>
  startChild([import.meta.filename, name, ...args]);

function parse(body: Buffer): void {
  const { artifacts } = JSON.parse(body.toString('utf8')) as { artifacts: unknown };
  if (!Array.isArray(artifacts)) throw new Error('not a report');
}

function send(response: ServerResponse, answer: string): void {
  const head = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) };
  response.writeHead(200, head).end(answer);
}

if (import.meta.main) {
  const [name = '', ...args] = process.argv.slice(2);
  const act = await LIMITS[name]?.(...args);
  if (act === undefined) throw new Error(`there is no limit ${name}`);
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const answer = act(Buffer.concat(parts));
      if (typeof answer === 'string') send(response, answer);
      else void answer.then((text) => send(response, text));
    });
  });
  server.listen(0, '127.0.0.1', () =>
    console.log(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
  );
  process.once('SIGTERM', () => process.exit(0));
}
