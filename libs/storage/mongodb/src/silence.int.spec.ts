import { randomBytes } from 'node:crypto';
import * as os from 'node:os';
import { MongoClient } from 'mongodb';
import { StoreUnavailable } from '@assurance/storage-ports';
import { freshMongodb } from '@assurance/testing/engines/mongodb';
import { openMongo } from './open-mongo';
import { cuttingProxy } from './testing/cutting-proxy';

/** Settings with which the driver soon notices that the server does not answer (milliseconds). */
const SOON = 'connectTimeoutMS=2000&heartbeatFrequencyMS=500&serverMonitoringMode=poll';
/** Longer than what the connections to the server can buffer. */
const LONG = 'x'.repeat(12_000_000);

it('continues to write after a server stopped answering during a long write', async () => {
  const { url, database } = freshMongodb();
  const direct = new MongoClient(url, { runtimeAdapters: { os } });
  const { primary } = await direct.db('admin').command({ hello: 1 });
  await direct.close();
  const [host, port] = String(primary).split(':');
  const proxy = await cuttingProxy(host!, Number(port));
  const through = url.replace(
    /^(mongodb:\/\/(?:[^@/]*@)?).*$/,
    `$1127.0.0.1:${proxy.port}/?directConnection=true&${SOON}`,
  );
  const engines = await openMongo({
    url: through,
    database,
    now: Date.now,
    steady: () => performance.now(),
    random: randomBytes,
  });
  try {
    const rows = engines.documents.collection<{ text: string }>({ name: 'long', indexes: [] });
    await rows.write([{ kind: 'put', id: 'long', doc: { text: '' } }]);
    proxy.cut('documents_long', 'silent', 1);
    const refused = expect(rows.write([{ kind: 'put', id: 'long', doc: { text: LONG } }])).rejects.toThrow(
      StoreUnavailable,
    );
    while ((await engines.problems()).length === 0 || proxy.cuts() === 0);
    proxy.thaw();
    // It is unknown whether the write was carried out. A write that waits behind it is carried out now.
    const behind = rows.write([{ kind: 'put', id: 'long', doc: { text: LONG } }]);
    await refused;
    await behind;
    expect(await rows.get('long')).toEqual({ text: LONG });
  } finally {
    await engines.close();
    await proxy.close();
  }
}, 60_000);
