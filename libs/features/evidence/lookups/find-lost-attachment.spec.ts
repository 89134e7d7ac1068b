import type { Blobs } from '@assurance/storage-ports';
import { findLostAttachment } from './find-lost-attachment';

/** A store that records which blobs are requested, and how many at once. */
class Store implements Pick<Blobs, 'stat'> {
  readonly asked: string[] = [];
  atOnce = 0;
  private asking = 0;

  constructor(private readonly without: readonly string[] = []) {}

  async stat(_org: string, sha256: string) {
    this.asked.push(sha256);
    this.asking += 1;
    this.atOnce = Math.max(this.atOnce, this.asking);
    await new Promise((resolve) => setImmediate(resolve));
    this.asking -= 1;
    return this.without.includes(sha256) ? null : { size: 1, at: 0, sha256 };
  }
}

const attachments = (count: number) => Array.from({ length: count }, (_, i) => ({ sha256: `${i}`, filename: `f${i}` }));

describe('the attachments of an answer', () => {
  it('are looked for once each, in a bounded number at once', async () => {
    const store = new Store();
    expect(await findLostAttachment(store, 'o', [...attachments(500), ...attachments(500)])).toBeNull();
    expect([store.asked.length, new Set(store.asked).size, store.atOnce]).toEqual([500, 500, 32]);
  });

  it('are all looked for at once where there are few', async () => {
    const store = new Store();
    expect(await findLostAttachment(store, 'o', attachments(3))).toBeNull();
    expect(await findLostAttachment(store, 'o', [])).toBeNull();
    expect(store.atOnce).toBe(3);
  });

  it('name one that is lost, and no more are looked for then', async () => {
    const store = new Store(['40']);
    expect(await findLostAttachment(store, 'o', attachments(500))).toEqual({ sha256: '40', filename: 'f40' });
    expect(store.asked.length).toBeLessThan(200);
  });

  it('are not all looked for before an answer with many begins', async () => {
    const store = new Store(['4999']);
    expect(await findLostAttachment(store, 'o', attachments(5_000))).toBeNull();
    expect(store.asked).toHaveLength(2_000);
  });
});
