import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '@assurance/kernel';
import type { Blobs } from '@assurance/storage-ports';
import { openEmbedded } from '@assurance/storage-sqlite';
import { blobsSuite } from '@assurance/testing/conformance/blobs';
import { twoStores } from './two-stores';

const NOW = 1_700_000_000_000;
const LIMIT = 10_000_000;

async function openTwo(now: () => number) {
  const folder = await mkdtemp(join(tmpdir(), 'assurance-two-stores-'));
  const open = (name: string) => openEmbedded({ folder: join(folder, name), now, random: randomBytes });
  const [first, second] = [await open('first'), await open('second')];
  return {
    folder,
    first: first.blobs,
    second: second.blobs,
    engines: { blobs: twoStores(first.blobs, second.blobs) },
    async close() {
      await Promise.all([first.close(), second.close()]);
      await rm(folder, { recursive: true });
    },
  };
}

blobsSuite(openTwo);

describe('blobs of two stores', () => {
  let two: Awaited<ReturnType<typeof openTwo>>;
  let now = NOW;
  beforeEach(async () => {
    now = NOW;
    two = await openTwo(() => now);
  });
  afterEach(() => two.close());

  async function* pieces(content: Uint8Array) {
    for (let from = 0; from < content.length; from += 10_000) yield content.subarray(from, from + 10_000);
  }
  const put = (store: Blobs, content: Uint8Array) => store.put('org', pieces(content), LIMIT);
  const read = async (store: Blobs, digest: string) => {
    const content = await store.open('org', digest);
    if (content === null) return null;
    const parts: Uint8Array[] = [];
    for await (const piece of content) parts.push(piece);
    return Buffer.concat(parts);
  };
  const listed = async (store: Blobs) => {
    const all: string[] = [];
    for await (const info of store.list('org')) all.push(info.sha256);
    return all.sort();
  };
  const blobs = () => two.engines.blobs;
  const move = async (limit = 2) => {
    let moved = 0;
    const damaged: string[] = [];
    for (let after: string | null = null; ;) {
      const piece = await blobs().move!('org', { after, limit, before: now + 1 });
      moved += piece.blobs;
      damaged.push(...piece.damaged);
      if (piece.next === null) return { moved, damaged };
      after = piece.next;
    }
  };

  it('are read where they are, listed once, and new ones go to the first', async () => {
    const [old, fresh] = [randomBytes(30_000), randomBytes(20_000)];
    await put(two.second, old);
    expect(await put(blobs(), fresh)).toMatchObject({ added: true });
    expect(await put(blobs(), old)).toMatchObject({ added: false });
    expect(await two.first.stat('org', sha256(fresh))).toMatchObject({ size: 20_000 });
    for (const content of [old, fresh]) expect((await read(blobs(), sha256(content)))?.equals(content)).toBe(true);
    expect(await listed(blobs())).toEqual([sha256(old), sha256(fresh)].sort());
  });

  it('are lost where neither has the content, and a move brings back what the first lost', async () => {
    const [old, fresh] = [randomBytes(30_000), randomBytes(20_000)];
    await put(two.second, old);
    await put(two.first, fresh);
    const lostOf = (...digests: string[]): Blobs => ({
      ...two.first,
      put: (...values) => two.first.put(...values),
      stat: async (org, digest) =>
        digests.includes(digest) ? { sha256: digest, size: 1 } : two.first.stat(org, digest),
      open: async (org, digest) => (digests.includes(digest) ? null : two.first.open(org, digest)),
      isLost: async (_, digest) => Promise.resolve(digests.includes(digest)),
    });
    const blobsOf = (...digests: string[]) => twoStores(lostOf(...digests), two.second);
    const digests = [sha256(old), sha256(fresh)];
    expect(await Promise.all(digests.map((digest) => blobsOf(...digests).isLost!('org', digest)))).toEqual([
      false,
      true,
    ]);
    expect(await blobsOf().isLost!('org', sha256('never put'))).toBe(false);
    expect((await read(blobsOf(...digests), sha256(old)))?.equals(old)).toBe(true);
    await blobsOf(...digests).move!('org', { after: null, limit: 10, before: now + 1 });
    expect((await read(two.first, sha256(old)))?.equals(old)).toBe(true);
  });

  it('are moved piece by piece and only once, and a move that broke off goes on', async () => {
    const all = Array.from({ length: 7 }, (_, i) => randomBytes(1_000 + i));
    for (const content of all) await put(two.second, content);
    // The state after a crash between the copy and the removal.
    await put(two.first, all[3]!);
    expect((await blobs().move!('org', { after: null, limit: 2, before: now + 1 })).blobs).toBe(2);
    expect(await listed(blobs())).toHaveLength(7);
    expect(await move()).toEqual({ moved: 5, damaged: [] });
    expect(await listed(two.second)).toEqual([]);
    expect(await listed(two.first)).toEqual(all.map(sha256).sort());
    expect(await move()).toEqual({ moved: 0, damaged: [] });
    for (const content of all) expect((await read(blobs(), sha256(content)))?.equals(content)).toBe(true);
  });

  it('stay in the old store when they are put there again while they are moved, until the next move', async () => {
    const content = randomBytes(1_000);
    await put(two.second, content);
    const open = two.second.open.bind(two.second);
    two.second.open = async (org, digest) => {
      now += 1_000;
      await put(two.second, content);
      return open(org, digest);
    };
    await blobs().move!('org', { after: null, limit: 2, before: now + 1 });
    expect(await two.second.stat('org', sha256(content))).not.toBeNull();
    two.second.open = open;
    expect(await move()).toMatchObject({ moved: 1 });
    expect(await two.second.stat('org', sha256(content))).toBeNull();
    expect((await read(blobs(), sha256(content)))?.equals(content)).toBe(true);
  });

  it('are read to their end when they are moved meanwhile', async () => {
    const content = randomBytes(500_000);
    const digest = sha256(content);
    await put(two.second, content);
    const open = two.second.open.bind(two.second);
    // Behaves like a store with content in pieces: unread pieces are gone when the blob is removed.
    two.second.open = async (org, query) => {
      const result = await open(org, query);
      if (result === null) return null;
      return (async function* () {
        for await (const piece of result) {
          if ((await two.second.stat(org, query)) === null) throw new Error('a piece is missing');
          yield piece;
        }
      })();
    };
    const parts: Uint8Array[] = [];
    for await (const piece of (await blobs().open('org', digest)) ?? []) {
      parts.push(piece);
      if (parts.length === 2) await move();
    }
    expect(Buffer.concat(parts).equals(content)).toBe(true);
  });

  it('stay where they are when their content is not what their digest says', async () => {
    const [whole, damaged] = [randomBytes(1_000), randomBytes(1_000)];
    for (const content of [whole, damaged]) await put(two.second, content);
    const folder = join(two.folder, 'second/blobs');
    const [path] = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(sha256(damaged)));
    await writeFile(join(folder, String(path)), randomBytes(1_000));
    await utimes(join(folder, String(path)), NOW / 1_000, NOW / 1_000);
    expect(await move()).toEqual({ moved: 1, damaged: [sha256(damaged)] });
    expect(await listed(two.first)).toEqual([sha256(whole)]);
    expect(await listed(two.second)).toEqual([sha256(damaged)]);
  });

  it('are not withdrawn from the old store, where others put them', async () => {
    const content = randomBytes(1_000);
    await put(two.second, content);
    const { revision } = await put(blobs(), content);
    expect(await blobs().withdraw('org', sha256(content), revision)).toBe(false);
    expect((await read(blobs(), sha256(content)))?.equals(content)).toBe(true);
  });
});
