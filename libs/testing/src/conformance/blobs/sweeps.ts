import { sha256 } from '@assurance/kernel';
import { type BlobInfo, type Blobs, StoreUnavailable } from '@assurance/storage-ports';
import { lookAlikes, unique } from '../harness';
import { bytes, pieces, readAll } from './content';

const LIMIT = 1_000_000;
const DAY = 24 * 3_600_000;
/** More than any engine reads ahead. */
const LARGE = 24 * 1024 * 1024;

/** The clock of puts. */
interface Time {
  now(): number;
  /** @param ms milliseconds */
  pass(ms: number): void;
}

export function sweeps(blobs: () => Blobs, time: Time): void {
  const put = (org: string, content: Buffer) => blobs().put(org, pieces(content), LIMIT);
  const putSome = async (org: string, count: number) => {
    const all: BlobInfo[] = [];
    for (let i = 0; i < count; i += 1) all.push(await put(org, bytes(1_000 + i)));
    return all.map((info) => info.sha256);
  };
  const listed = async (org: string) => {
    const all: string[] = [];
    for await (const info of blobs().list(org)) all.push(info.sha256);
    return all.sort();
  };
  type ReferencedBlobs = Parameters<Blobs['sweep']>[2];
  const nothing: ReferencedBlobs = () => Promise.resolve(new Set());
  const sweep = async (
    org: string,
    references: ReferencedBlobs,
    { limit = 100, before = time.now(), atOnce = false } = {},
  ) => {
    let after: string | null = null;
    let looks = 0;
    do {
      ({ next: after } = await blobs().sweep(org, { after, limit, before, atOnce }, references));
      looks += 1;
    } while (after !== null);
    return looks;
  };
  const sweepBroken = async (before: number) => {
    let after: string | null = null;
    do after = await blobs().sweepBroken({ after, limit: 50, before });
    while (after !== null);
  };

  it('removes what nobody names, piece by piece, and nothing of another organization', async () => {
    const [org, ...others] = lookAlikes(unique('org'));
    const own = await putSome(org!, 11);
    for (const other of others) await put(other, bytes(10));
    time.pass(DAY);
    const requested: string[][] = [];
    const stay = new Set(own.filter((_, i) => i % 2 === 0));
    const looks = await sweep(
      org!,
      (digests) => {
        requested.push([...digests]);
        return Promise.resolve(stay);
      },
      { limit: 3 },
    );
    expect(looks).toBeGreaterThanOrEqual(4);
    expect(Math.max(...requested.map(({ length }) => length))).toBeLessThanOrEqual(3);
    expect(requested.flat().sort()).toEqual([...own].sort());
    expect(await listed(org!)).toEqual([...stay].sort());
    for (const digest of own) expect((await blobs().stat(org!, digest)) !== null).toBe(stay.has(digest));
    for (const other of others) expect(await listed(other)).toHaveLength(1);
  });

  it('leaves what was put since, for the first time or again, without asking', async () => {
    const org = unique('org');
    const [old, again] = [bytes(2_000), bytes(3_000)];
    for (const content of [old, again]) await put(org, content);
    time.pass(DAY);
    const before = time.now();
    time.pass(1_000);
    await put(org, again);
    const [young] = await putSome(org, 1);
    const requested: string[] = [];
    await sweep(
      org,
      (digests) => {
        requested.push(...digests);
        return nothing(digests);
      },
      { before },
    );
    expect(requested).toEqual([sha256(old)]);
    expect(await listed(org)).toEqual([sha256(again), young].sort());
  });

  it('leaves what is put again while it is asked for, whole', async () => {
    const [org, content] = [unique('org'), bytes(400_000)];
    await put(org, content);
    time.pass(DAY);
    const before = time.now();
    time.pass(1_000);
    await sweep(
      org,
      async () => {
        await put(org, content);
        return new Set();
      },
      { before },
    );
    expect((await readAll(blobs(), org, sha256(content)))?.equals(content)).toBe(true);
  });

  it('loses no put, however puts and sweeps meet', async () => {
    const [org, content] = [unique('org'), bytes(100_000)];
    for (let round = 0; round < 10; round += 1) {
      await put(org, content);
      time.pass(DAY);
      const before = time.now();
      time.pass(1_000);
      await Promise.all([sweep(org, nothing, { before }), put(org, content), sweep(org, nothing, { before })]);
      expect((await readAll(blobs(), org, sha256(content)))?.equals(content)).toBe(true);
    }
  });

  it.each([false, true])('lets what was removed be put again, removed at once: %s', async (atOnce) => {
    const [org, content] = [unique('org'), bytes(1_000)];
    await put(org, content);
    time.pass(DAY);
    await sweep(org, nothing, { atOnce });
    expect(await blobs().open(org, sha256(content))).toBeNull();
    await put(org, content);
    expect((await readAll(blobs(), org, sha256(content)))?.equals(content)).toBe(true);
  });

  /** Puts much, removes it when its reader has the first piece, and returns what the reader got; rejects as the reader does. */
  const removedWhileRead = async (org: string, content: Buffer, atOnce: boolean) => {
    const { sha256: digest } = await blobs().put(org, pieces(content), LARGE);
    time.pass(DAY);
    const read: Uint8Array[] = [];
    for await (const piece of (await blobs().open(org, digest)) ?? []) {
      if (read.length === 0) {
        await sweep(org, nothing, { atOnce });
        await sweepBroken(time.now() - DAY / 24);
        expect([await blobs().stat(org, digest), await blobs().open(org, digest)]).toEqual([null, null]);
      }
      read.push(piece);
    }
    return Buffer.concat(read);
  };

  it('lets readers that have begun finish, and opens a removed blob to no other reader', async () => {
    const [org, content] = [unique('org'), bytes(LARGE)];
    expect((await removedWhileRead(org, content, false)).equals(content)).toBe(true);
    time.pass(DAY);
    await put(org, content.subarray(0, 1_000));
    await sweepBroken(time.now() - DAY / 24);
    expect(await listed(org)).toEqual([sha256(content.subarray(0, 1_000))]);
  });

  it('tells a reader whose content it removes at once, unless the reader gets the rest', async () => {
    const [org, content] = [unique('org'), bytes(LARGE)];
    const read = await removedWhileRead(org, content, true).catch((fault: unknown) => fault);
    if (Buffer.isBuffer(read)) expect(read.equals(content)).toBe(true);
    else expect(read).toBeInstanceOf(StoreUnavailable);
  });

  it('of interrupted puts affects no blob, and no put in progress', async () => {
    const [org, there, slow] = [unique('org'), bytes(5_000), bytes(600_000)];
    await put(org, there);
    async function* slowly() {
      for await (const piece of pieces(slow)) {
        await sweepBroken(time.now() - DAY);
        yield piece;
      }
    }
    await blobs().put(org, slowly(), LIMIT);
    time.pass(2 * DAY);
    await sweepBroken(time.now() - DAY);
    for (const content of [there, slow])
      expect((await readAll(blobs(), org, sha256(content)))?.equals(content)).toBe(true);
  });

  it('leaves a put that rests for hours whole, or the put is refused', async () => {
    const [org, content] = [unique('org'), bytes(600_000)];
    async function* resting() {
      yield content.subarray(0, 300_000);
      time.pass(DAY);
      await sweepBroken(time.now() - DAY / 24);
      yield content.subarray(300_000);
    }
    const put = blobs().put(org, resting(), LIMIT);
    const refused = await put.then(
      () => false,
      (fault: unknown) => fault instanceof StoreUnavailable,
    );
    const read = await readAll(blobs(), org, sha256(content));
    expect(read?.equals(content) ?? false).toBe(!refused);
  });
}
