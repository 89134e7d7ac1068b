import { randomBytes } from 'node:crypto';
import * as os from 'node:os';
import { MongoClient } from 'mongodb';
import { BOOTSTRAP } from './support/declared';
import { freePort } from './support/free-port';
import { Place } from './support/process';
import { servers } from './support/servers';

const LARGE = 'blob_removals';
const DOCUMENTS = 300_000;
const BATCH = 20_000;
/** Long values make the index of few documents as large as that of many. */
const ORG_BYTES = 150;
const LIMIT_MS = 240_000;

describe('a service that builds an index of a large collection', () => {
  let place: Place;
  const settings = servers();
  const client = new MongoClient(settings['MONGODB_URL'] ?? '', { runtimeAdapters: { os } });
  beforeEach(() => (place = new Place()));
  afterEach(() => place.clear());
  afterAll(() => client.close());

  /** Whether MongoDB builds an index of the large collection now. A service that serves makes those of its new, empty collections. */
  async function isBuilding(): Promise<boolean> {
    const { inprog } = (await client.db('admin').command({ currentOp: 1, active: true })) as {
      inprog: readonly { readonly ns?: string; readonly command?: { readonly createIndexes?: string } }[];
    };
    const { databaseName } = client.db();
    return inprog.some(({ ns = '', command }) => ns.startsWith(`${databaseName}.`) && command?.createIndexes === LARGE);
  }

  it(
    'answers /live meanwhile, is not ready, and then serves',
    async () => {
      // A collection of the service, as it is before a release adds an index to it.
      const records = client.db().collection(LARGE);
      for (let count = 0; count < DOCUMENTS; count += BATCH) {
        const some = Array.from({ length: BATCH }, () => ({
          org: randomBytes(ORG_BYTES).toString('hex'),
          removedAt: 0,
        }));
        await records.insertMany(some, { ordered: false });
      }
      const port = await freePort();
      const service = place.start({
        ...settings,
        ASSURANCE_SECRET: randomBytes(32).toString('hex'),
        ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP),
        ASSURANCE_OPERATIONS_PORT: String(port),
      });
      let listens = false;
      const url = service.url().finally(() => (listens = true));
      const operations = `http://127.0.0.1:${port}`;
      const pagesOf = async (path: string) => {
        const answer = await fetch(`${operations}/${path}`);
        return `${path} ${answer.status} ${await answer.text()}`;
      };
      const meanwhile = new Set<string>();
      while (!listens) {
        const before = await isBuilding();
        const answers = await Promise.all(['live', 'ready'].map(pagesOf)).catch(() => []);
        if (before && (await isBuilding())) for (const answer of answers) meanwhile.add(answer);
      }
      await url;
      expect([...meanwhile].sort()).toEqual(['live 200 OK', 'ready 503 the service is starting']);
      expect(await pagesOf('ready')).toBe('ready 200 OK');
      expect((await records.indexes()).map(({ name }) => name)).toContain('of_organization');
      expect(await service.stop()).toBe(0);
    },
    LIMIT_MS,
  );
});
