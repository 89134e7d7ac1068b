import { randomBytes } from 'node:crypto';
import type { Write } from '@assurance/storage-ports';
import { freshMongodb } from '@assurance/testing/engines/mongodb';
import { openMongo } from './open-mongo';

/** MongoDB accepts no document of this size (bytes). */
const TOO_LARGE = 17 * 1024 * 1024;

it('tells one of many concurrent writers that its document is too large, and writes the others', async () => {
  const engines = await openMongo({
    ...freshMongodb(),
    now: Date.now,
    steady: () => performance.now(),
    random: randomBytes,
  });
  try {
    const rows = engines.documents.collection<{ text: string }>({ name: 'rows', indexes: [] });
    const put = (id: number, text: string): Write<{ text: string }> => ({ kind: 'put', id: String(id), doc: { text } });
    await rows.write([put(0, 'first')]);
    const ids = Array.from({ length: 40 }, (_, id) => id);
    const outcomes = await Promise.allSettled(
      ids.map((id) => rows.write([put(id, id === 20 ? 'x'.repeat(TOO_LARGE) : 'small')])),
    );
    expect(outcomes.flatMap(({ status }, id) => (status === 'rejected' ? [id] : []))).toEqual([20]);
    expect([...(await rows.getMany(ids.map(String))).keys()].sort()).toEqual(
      ids
        .filter((id) => id !== 20)
        .map(String)
        .sort(),
    );
  } finally {
    await engines.close();
  }
});
