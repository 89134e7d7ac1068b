import type { Documents } from '@assurance/storage-ports';
import type { KeyUse } from '../domain/keys';
import { KeyUses, RECORD_INTERVAL_MS } from './key-uses';

const NOW = 1_700_000_000_000;

describe('the last use of keys', () => {
  let docs: Map<string, KeyUse>;
  let merges: number;
  let fails: boolean;
  let warned: number;
  let uses: KeyUses;

  /** The only method of documents that is used. It changes them in one step, a moment later. */
  const merge = async (ids: readonly string[], change: (current: KeyUse | null, id: string) => KeyUse | undefined) => {
    merges += 1;
    await Promise.resolve();
    if (fails) throw new Error('nobody answers');
    for (const id of ids) {
      const next = change(docs.get(id) ?? null, id);
      if (next !== undefined) docs.set(id, next);
    }
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  beforeEach(() => {
    [docs, merges, fails, warned] = [new Map(), 0, false, 0];
    const documents = { collection: () => ({ merge }) } as unknown as Documents;
    uses = new KeyUses(documents, { warn: () => (warned += 1) });
  });

  it('is written once a minute, however often it is used', async () => {
    for (let i = 0; i < 1_000; i += 1) uses.note('a', NOW + i);
    await settle();
    uses.note('a', NOW + RECORD_INTERVAL_MS - 1);
    await settle();
    expect([merges, docs.get('a')]).toEqual([1, { lastUsedAt: NOW / 1_000 }]);
    uses.note('a', NOW + RECORD_INTERVAL_MS);
    await settle();
    expect([merges, docs.get('a')]).toEqual([2, { lastUsedAt: (NOW + RECORD_INTERVAL_MS) / 1_000 }]);
  });

  it('is written together with others that came meanwhile', async () => {
    for (let i = 0; i < 500; i += 1) uses.note(`k${i}`, NOW);
    await settle();
    expect([merges, docs.size]).toEqual([2, 500]);
  });

  it('never goes back, as another gateway may have noted a later one', async () => {
    docs.set('a', { lastUsedAt: NOW });
    uses.note('a', NOW);
    await settle();
    expect(docs.get('a')).toEqual({ lastUsedAt: NOW });
  });

  it('that cannot be written fails no request, and is written the next minute', async () => {
    fails = true;
    uses.note('a', NOW);
    await settle();
    expect([warned, docs.size]).toEqual([1, 0]);
    fails = false;
    uses.note('a', NOW + RECORD_INTERVAL_MS);
    await settle();
    expect(docs.size).toBe(1);
  });
});
