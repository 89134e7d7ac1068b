import { randomBytes } from 'node:crypto';
import * as os from 'node:os';
import { MongoClient } from 'mongodb';
import { sha256 } from '@assurance/kernel';
import { StoreUnavailable } from '@assurance/storage-ports';
import { makeCommit, nextCommit } from '@assurance/testing/conformance/harness';
import { freshMongodb } from '@assurance/testing/engines/mongodb';
import { type MongoEngines, openMongo } from './open-mongo';
import { cuttingProxy, type CuttingProxy } from './testing/cutting-proxy';

/** The driver itself tries a write twice, so the engine sees a fault only if the message is cut more often. */
const BEYOND_THE_DRIVER = 3;

let proxy: CuttingProxy;
let engines: MongoEngines;
/** How far the clock advances with each read (milliseconds). If it is far enough, the engine gives up at once. */
let leap = 0;
let leapt = 0;

beforeAll(async () => {
  const { url, database } = freshMongodb();
  const [host, port] = (await primaryOf(url)).split(':');
  proxy = await cuttingProxy(host!, Number(port));
  const through = url.replace(/^(mongodb:\/\/(?:[^@/]*@)?).*$/, `$1127.0.0.1:${proxy.port}/?directConnection=true`);
  const steady = () => performance.now() + (leapt += leap);
  engines = await openMongo({ url: through, database, now: Date.now, steady, random: randomBytes });
});

afterAll(async () => {
  await engines.close();
  await proxy.close();
});

async function primaryOf(url: string): Promise<string> {
  const client = new MongoClient(url, { runtimeAdapters: { os } });
  try {
    const { primary } = await client.db('admin').command({ hello: 1 });
    return String(primary);
  } finally {
    await client.close();
  }
}

describe('a broken connection', () => {
  it.each(['answered', 'unseen'] as const)('does not lose or repeat a commit whose insert was %s', async (when) => {
    const first = makeCommit();
    const cuts = proxy.cuts();
    proxy.cut(first.correlation, when, BEYOND_THE_DRIVER);
    expect(await engines.events.append(first)).toBe('appended');
    expect(proxy.cuts()).toBeGreaterThan(cuts);
    expect(await engines.events.read(first.stream, 1, 10)).toEqual([first]);
    proxy.cut('', 'unseen', 0);
    expect(await engines.events.append(nextCommit(first))).toBe('appended');
  });

  it('may end under a write that is longer than what a connection holds', async () => {
    const rows = engines.documents.collection<{ text: string }>({ name: 'long', indexes: [] });
    await rows.write([{ kind: 'put', id: 'short', doc: { text: '' } }]);
    const text = 'x'.repeat(8_000_000);
    const cuts = proxy.cuts();
    proxy.cut('documents_long', 'unseen', BEYOND_THE_DRIVER);
    await rows.write([{ kind: 'put', id: 'long', doc: { text } }]);
    expect(proxy.cuts()).toBe(cuts + BEYOND_THE_DRIVER);
    expect(await rows.get('long')).toEqual({ text });
  });

  it('leaves no blob that only seems whole', async () => {
    async function* content() {
      yield Buffer.from('whole');
    }
    const { sha256: digest } = await engines.blobs.put('other', content(), 100);
    proxy.cut('files_id', 'unseen', BEYOND_THE_DRIVER);
    await expect(engines.blobs.put('org', content(), 100)).rejects.toThrow(StoreUnavailable);
    proxy.cut('', 'unseen', 0);
    expect(await engines.blobs.stat('org', digest)).toBeNull();
    await engines.blobs.put('org', content(), 100);
    const pieces: Uint8Array[] = [];
    for await (const piece of (await engines.blobs.open('org', digest)) ?? []) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe('whole');
  });

  it('reports a lost race also when the answer of the server was lost', async () => {
    const [own, rival] = [makeCommit(), makeCommit()];
    const late = { ...own, stream: rival.stream };
    proxy.cut(late.correlation, 'unseen', BEYOND_THE_DRIVER);
    const [outcome] = await Promise.all([engines.events.append(late), engines.events.append(rival)]);
    const stored = await engines.events.read(rival.stream, 1, 10);
    expect(stored).toEqual([outcome === 'appended' ? late : rival]);
    proxy.cut('', 'unseen', 0);
  });

  it('does not merge twice', async () => {
    const counters = engines.documents.collection<{ n: number }>({ name: 'counters', indexes: [] });
    const plus = () => counters.merge(['one'], (current) => ({ n: (current?.n ?? 0) + 1 }));
    await plus();
    proxy.cut('$inc', 'answered', 1);
    await plus();
    expect(await counters.get('one')).toEqual({ n: 2 });
  });

  it('repeats writes of documents, which are idempotent', async () => {
    const states = engines.documents.collection<{ n: number }>({ name: 'states', indexes: [] });
    await states.write([{ kind: 'forward', id: 'a', seq: 1, doc: { n: 1 } }]);
    proxy.cut('$inc', 'answered', BEYOND_THE_DRIVER);
    await states.write([{ kind: 'forward', id: 'a', seq: 2, doc: { n: 2 } }]);
    expect(await states.get('a')).toEqual({ n: 2 });
    proxy.cut('', 'unseen', 0);
  });
});

describe('a server that is gone', () => {
  it('makes every operation throw StoreUnavailable with its name', async () => {
    expect(await engines.problems()).toEqual([]);
    await proxy.close();
    leap = 60_000;
    const rows = engines.documents.collection<{ n: number }>({ name: 'counters', indexes: [] });
    const operations = [
      engines.events.append(makeCommit()),
      engines.events.newest('environment/x'),
      engines.events.putData('org', '{}'),
      rows.get('one'),
      rows.write([{ kind: 'put', id: 'one', doc: { n: 1 } }]),
      rows.merge(['one'], () => ({ n: 1 })),
      engines.blobs.stat('org', sha256('')),
    ];
    for (const result of await Promise.allSettled(operations)) {
      expect(result).toEqual({ status: 'rejected', reason: expect.any(StoreUnavailable) });
    }
    expect(await engines.problems()).toEqual(['MongoDB does not answer']);
    // By now the driver knows that the server is gone. This collection does not exist yet.
    await expect(engines.documents.collection({ name: 'late', indexes: [] }).get('one')).rejects.toThrow(
      StoreUnavailable,
    );
  }, 60_000);
});
