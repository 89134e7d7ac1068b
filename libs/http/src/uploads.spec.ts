import { sha256 } from '@assurance/kernel';
import type { Blobs } from '@assurance/storage-ports';
import { type Upload, Uploads } from './uploads';

const CONTENT = 'evidence';
const DIGEST = sha256(CONTENT);

async function* content() {
  yield await Promise.resolve(Buffer.from(CONTENT));
}

/** Blobs of one organization in memory, with the promises of the port. `hold` lets withdrawals wait. */
class MemoryBlobs implements Pick<Blobs, 'put' | 'withdraw'> {
  readonly there = new Map<string, number>();
  private clock = 0;
  hold: Promise<void> = Promise.resolve();

  put() {
    const added = !this.there.has(DIGEST);
    this.clock += 1;
    this.there.set(DIGEST, this.clock);
    return Promise.resolve({ sha256: DIGEST, size: CONTENT.length, added, revision: this.clock });
  }

  async withdraw(_org: string, digest: string, revision: number) {
    await this.hold;
    if (this.there.get(digest) !== revision) return false;
    return this.there.delete(digest);
  }
}

describe('uploads of requests', () => {
  let blobs: MemoryBlobs;
  let uploads: Uploads;
  const failures: unknown[] = [];
  beforeEach(() => {
    blobs = new MemoryBlobs();
    uploads = new Uploads(blobs, (error) => failures.push(error));
  });
  const request = async () => {
    const own: Upload[] = [];
    await uploads.put(own, 'acme', content(), 100);
    return own;
  };

  it('are removed when the request is refused, and stay when it is accepted', async () => {
    await uploads.settle(await request(), true);
    expect(blobs.there.size).toBe(0);
    await uploads.settle(await request(), false);
    expect(blobs.there.size).toBe(1);
    expect(uploads.size).toBe(0);
  });

  it('stay when the content was there before', async () => {
    await uploads.settle(await request(), false);
    await uploads.settle(await request(), true);
    expect(blobs.there.size).toBe(1);
  });

  it('stay when one of several requests at once was accepted, whichever ended first', async () => {
    for (const order of [
      [true, false],
      [false, true],
    ]) {
      const [first, second] = [await request(), await request()];
      await uploads.settle(first, order[0] ?? true);
      await uploads.settle(second, order[1] ?? true);
      expect(blobs.there.size).toBe(1);
      blobs.there.clear();
    }
  });

  it('are removed when all concurrent requests were refused, even if one was refused during the removal for another', async () => {
    const [first, second] = [await request(), await request()];
    await uploads.settle(first, true);
    expect(blobs.there.size).toBe(1);
    let goOn: () => void = () => undefined;
    blobs.hold = new Promise((resolve) => (goOn = resolve));
    const settled = uploads.settle(second, true);
    const third = await request();
    goOn();
    await settled;
    expect(blobs.there.size).toBe(1);
    await uploads.settle(third, true);
    expect(blobs.there.size).toBe(0);
    expect(uploads.size).toBe(0);
  });

  it('stay when another process put the same content meanwhile', async () => {
    const own = await request();
    await blobs.put();
    await uploads.settle(own, true);
    expect(blobs.there.size).toBe(1);
  });

  it('are left to the sweep when they cannot be removed', async () => {
    const own = await request();
    blobs.hold = Promise.reject(new Error('away'));
    await uploads.settle(own, true);
    expect(failures).toEqual([new Error('away')]);
    expect(uploads.size).toBe(0);
  });
});
