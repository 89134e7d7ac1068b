import type { Documents, Query } from '@assurance/storage-ports';
import { openTemporary } from '@assurance/storage-sqlite/testing';
import { NewestStarts } from './newest-starts';
import { type DeploymentRow, deployments, rowId } from './rows';

const ENVIRONMENT = 'prod';
const BASE = 'shop/web';

const range = (count: number, first = 1) => Array.from({ length: count }, (_, i) => first + i);

function row(snapshot: number, version = snapshot): DeploymentRow {
  return {
    org: 'acme',
    environment: ENVIRONMENT,
    environmentName: ENVIRONMENT,
    snapshot,
    fingerprint: `version-${version}`,
    name: `${BASE}:${version}`,
    deployedAt: snapshot,
    compliant: true,
    base: BASE,
    kind: 'restart',
    origin: null,
  };
}

describe('starts of artifacts of one name', () => {
  let engine: Awaited<ReturnType<typeof openTemporary>>;
  beforeEach(async () => {
    engine = await openTemporary();
  });
  afterEach(() => engine.close());

  /** Writes deployments, and makes a reader of their starts that notes its queries. */
  async function startsOf(rows: readonly DeploymentRow[]) {
    const collection = engine.engines.documents.collection(deployments);
    const idOf = ({ snapshot, fingerprint }: DeploymentRow) => rowId(ENVIRONMENT, snapshot, fingerprint);
    await collection.write(rows.map((doc) => ({ kind: 'put', id: idOf(doc), doc })));
    const queries: Query[] = [];
    const find = (query: Query) => {
      queries.push(query);
      return collection.find(query);
    };
    const starts = new NewestStarts({ collection: () => ({ find }) } as unknown as Documents, ENVIRONMENT);
    const read = async (from: number, to: number): Promise<DeploymentRow[]> => {
      const read: DeploymentRow[] = [];
      for await (const { doc } of starts.of(BASE, { from, to })) read.push(doc);
      return read;
    };
    return { read, queries };
  }
  const snapshotsOf = (rows: readonly DeploymentRow[]) => rows.map(({ snapshot }) => snapshot);

  it('come newest first, with one query for a few snapshots', async () => {
    const { read, queries } = await startsOf(range(30).map((n) => row(n)));
    expect(snapshotsOf(await read(26, 28))).toEqual([28, 27, 26]);
    expect(snapshotsOf(await read(27, 30))).toEqual([30, 29, 28, 27]);
    expect(queries).toHaveLength(1);
    expect(snapshotsOf(await read(24, 27))).toEqual([27, 26, 25, 24]);
    expect(await read(31, 40)).toEqual([]);
  });

  it('come once each from thousands of snapshots, and no query counts the newer ones', async () => {
    const { read, queries } = await startsOf(range(2_500).map((n) => row(n)));
    expect(snapshotsOf(await read(1, 2_499))).toEqual(range(2_499).reverse());
    expect(queries.filter(({ skip = 0 }) => skip > 0)).toEqual([]);
    expect(queries.length).toBeLessThan(10);
  });

  it('come once each from a snapshot that has more than a page, newest start first', async () => {
    const large = range(1_200).map((version) => ({ ...row(7, version), deployedAt: version % 5 }));
    const { read } = await startsOf([...range(6).map((n) => row(n)), ...large, row(8)]);
    const read7 = await read(7, 7);
    expect(read7).toHaveLength(1_200);
    expect(new Set(read7.map(({ fingerprint }) => fingerprint)).size).toBe(1_200);
    expect(read7.map(({ deployedAt }) => deployedAt)).toEqual(
      read7
        .map(({ deployedAt }) => deployedAt)
        .sort()
        .reverse(),
    );
    expect(snapshotsOf(await read(1, 6))).toEqual(range(6).reverse());
  });

  it('come to each of many readers at once', async () => {
    const { read } = await startsOf(range(100).map((n) => row(n)));
    const windows = range(25).map((n) => [4 * n - 3, 4 * n] as const);
    const results = await Promise.all(windows.map(([from, to]) => read(from, to)));
    expect(results.map(snapshotsOf)).toEqual(windows.map(([from]) => range(4, from).reverse()));
  });
});
