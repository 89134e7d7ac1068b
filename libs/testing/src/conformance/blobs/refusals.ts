import { sha256 } from '@assurance/kernel';
import { type Blobs, BlobTooLarge } from '@assurance/storage-ports';
import { unique } from '../harness';
import { bytes, pieces, readAll } from './content';

const LIMIT = 1_000_000;

export function refusals(blobs: () => Blobs): void {
  it('leaves nothing of a put that breaks off, tells why, and blocks no later put of the same content', async () => {
    const [org, content] = [unique('org'), bytes(500_000)];
    const digest = sha256(content);
    const broken = new Error('the line went dead');
    // All of the content arrived, but not the end.
    async function* breakingOff() {
      yield* pieces(content);
      throw broken;
    }
    await expect(blobs().put(org, breakingOff(), LIMIT)).rejects.toBe(broken);
    expect(await blobs().stat(org, digest)).toBeNull();
    expect(await blobs().open(org, digest)).toBeNull();
    await blobs().put(org, pieces(content), LIMIT);
    expect((await readAll(blobs(), org, digest))?.equals(content)).toBe(true);
  });

  it('leaves a blob that is there as it is when another put of it breaks off', async () => {
    const [org, content] = [unique('org'), bytes(100_000)];
    const { sha256: digest } = await blobs().put(org, pieces(content), LIMIT);
    async function* breakingOff() {
      yield* pieces(content);
      throw new Error('the line went dead');
    }
    await expect(blobs().put(org, breakingOff(), LIMIT)).rejects.toThrow('the line went dead');
    expect((await readAll(blobs(), org, digest))?.equals(content)).toBe(true);
  });

  it('is not held up by a put of the same content that is half done, and lets that one end well', async () => {
    const [org, content] = [unique('org'), bytes(200_000)];
    const digest = sha256(content);
    let goOn: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    async function* slow() {
      yield content.subarray(0, 100_000);
      await gate;
      yield content.subarray(100_000);
    }
    const first = blobs().put(org, slow(), LIMIT);
    await blobs().put(org, pieces(content), LIMIT);
    expect((await readAll(blobs(), org, digest))?.equals(content)).toBe(true);
    goOn();
    expect(await first).toMatchObject({ sha256: digest, size: content.length });
    expect((await readAll(blobs(), org, digest))?.equals(content)).toBe(true);
  });

  it('takes as many bytes as the limit says, and refuses one more', async () => {
    const org = unique('org');
    const [fits, larger] = [bytes(LIMIT), bytes(LIMIT + 1)];
    expect((await blobs().put(org, pieces(fits), LIMIT)).size).toBe(LIMIT);
    const put = blobs().put(org, pieces(larger), LIMIT);
    await expect(put).rejects.toBeInstanceOf(BlobTooLarge);
    await expect(put).rejects.toMatchObject({ limit: LIMIT });
    expect(await blobs().stat(org, sha256(larger))).toBeNull();
  });

  it('reads no further than the limit, and lets the source clean up', async () => {
    let [input, ended] = [0, false];
    async function* endless() {
      try {
        for (;;) {
          input += 1;
          yield Buffer.alloc(100_000);
        }
      } finally {
        ended = true;
      }
    }
    await expect(blobs().put(unique('org'), endless(), LIMIT)).rejects.toBeInstanceOf(BlobTooLarge);
    expect(input).toBeLessThan(50);
    expect(ended).toBe(true);
  });
}
