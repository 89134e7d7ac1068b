import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import type { Operation } from './operations';
import { temporaryFolder } from './testing/open-temporary';
import { WriteQueue } from './write-queue';

const TABLE = 'documents_rows';
const rows = (from: number, many: number) =>
  Array.from({ length: many }, (_, i) => ({ kind: 'put', id: `${from + i}`, doc: '{}' }) as const);
const view = (from: number): Operation => ({ kind: 'write', table: TABLE, writes: rows(from, 200) });
const state: Operation = { kind: 'parts', parts: [{ table: TABLE, writes: rows(-1, 1) }] };
const place = { seq: 1, id: 'id', at: 1, actor: 'a', snapshot: null, prev: null, hash: 'h', body: '{}' };
const commit: Operation = { kind: 'append', commit: { stream: 'environment/e', ...place } };

describe('what waits for the writer', () => {
  let folder: string;
  let queue: WriteQueue;
  beforeEach(async () => {
    folder = await temporaryFolder();
    queue = await WriteQueue.start(
      { file: join(folder, 'assurance.db'), events: null },
      () => undefined,
      () => undefined,
    );
    await queue.submit({ kind: 'collection', table: TABLE, columns: [], indexes: [], complete: true, filled: false });
  });
  afterEach(async () => {
    await queue.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Submits operations and returns their names in the order in which they end. */
  async function outcomesOf(all: readonly (readonly [name: string, operation: Operation])[]): Promise<string[]> {
    const order: string[] = [];
    await Promise.all(
      all.map(async ([name, operation]) => {
        await queue.submit(operation);
        order.push(name);
      }),
    );
    return order;
  }

  it('is written as aggregate states first, then commits, then views, in any order of arrival', async () => {
    const views = Array.from({ length: 5 }, (_, i) => [`view ${i}`, view(i * 200)] as const);
    expect(await outcomesOf([...views, ['commit', commit], ['head', state]])).toEqual([
      'head',
      'commit',
      ...views.map(([name]) => name),
    ]);
  });

  it('passes its data to the writer, which frees them once they are written', async () => {
    const size = 2_000_000;
    const all = Array.from({ length: 10 }, () => new TextEncoder().encode('x'.repeat(size)));
    for (const [i, bytes] of all.entries()) await queue.submit({ kind: 'data', org: 'o', digest: `${i}`, bytes });
    expect(all.filter(({ length }) => length > 0)).toEqual([]);
    const { worker } = queue as unknown as { readonly worker: Worker };
    const { external_memory: bytes } = await worker.getHeapStatistics();
    expect(bytes).toBeLessThan(4 * size);
  });

  it('goes on with views while others keep coming', async () => {
    let written = false;
    const views = outcomesOf([['view', view(0)]]).then(() => (written = true));
    for (let n = 0; !written; n += 1) {
      const stream = `environment/${n}`;
      await queue.submit({ kind: 'append', commit: { ...place, stream } });
      expect(n).toBeLessThan(10);
    }
    await views;
  });

  it('is listed by lane, until it is being written', async () => {
    const all = [view(0), view(200), state, commit].map((operation) => queue.submit(operation));
    expect(queue.waiting).toEqual([
      { lane: 'heads', operations: 1, bytes: 2 },
      { lane: 'commits', operations: 1, bytes: 2 },
      { lane: 'views', operations: 2, bytes: 800 },
    ]);
    await Promise.all(all);
    expect(queue.waiting.map(({ operations }) => operations)).toEqual([0, 0, 0]);
  });

  it('is synced when it is asked for, and only if something was written since the last sync', async () => {
    const submitted = jest.spyOn(queue, 'submit');
    await queue.sync();
    await queue.submit(commit);
    await queue.sync();
    expect(submitted.mock.calls).toEqual([[{ kind: 'sync' }], [commit]]);
    await queue.submit(view(0));
    await queue.sync();
    expect(submitted.mock.calls.slice(2)).toEqual([[view(0)], [{ kind: 'sync' }]]);
  });

  it('is all written before the queue closes', async () => {
    const all = outcomesOf([...Array.from({ length: 5 }, (_, i) => ['view', view(i * 200)] as const), ['head', state]]);
    await queue.close();
    expect(await all).toHaveLength(6);
  });
});
