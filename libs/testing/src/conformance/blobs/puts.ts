import { sha256 } from '@assurance/kernel';
import type { Blobs } from '@assurance/storage-ports';
import { lookAlikes, unique } from '../harness';
import { bytes, pieces, readAll } from './content';

const LIMIT = 64 * 1024 * 1024;

export function puts(blobs: () => Blobs): void {
  it('keeps content of any size under its SHA-256', async () => {
    const org = unique('org');
    for (const size of [0, 1, 65_535, 65_536, 261_120, 261_121, 5_000_000]) {
      const content = bytes(size);
      const info = { sha256: sha256(content), size };
      expect(await blobs().put(org, pieces(content), LIMIT)).toMatchObject(info);
      expect(await blobs().stat(org, info.sha256)).toEqual(info);
      expect((await readAll(blobs(), org, info.sha256))?.equals(content)).toBe(true);
    }
  });

  it('takes pieces of any size', async () => {
    const [org, content] = [unique('org'), bytes(3_000)];
    for (const size of [1, 7, 3_000]) await blobs().put(org, pieces(content, size), LIMIT);
    expect((await readAll(blobs(), org, sha256(content)))?.equals(content)).toBe(true);
  });

  it('answers null for what nobody put, and for what is no digest', async () => {
    const org = unique('org');
    const { sha256: there } = await blobs().put(org, pieces(bytes(10)), LIMIT);
    for (const wrong of [
      sha256(unique('nothing')),
      '',
      '..',
      '../x',
      there.toUpperCase(),
      there.slice(1),
      `${there} `,
    ]) {
      expect(await blobs().stat(org, wrong)).toBeNull();
      expect(await blobs().open(org, wrong)).toBeNull();
    }
  });

  it('never shows an organization another’s blob, however alike their names', async () => {
    const content = bytes(1_000);
    const digest = sha256(content);
    const [own, ...others] = [...lookAlikes(unique('org')), '..', '.', '-', '../-', 'a\u0000b', 'a'];
    await blobs().put(own!, pieces(content), LIMIT);
    for (const other of others) {
      expect(await blobs().stat(other, digest)).toBeNull();
      expect(await blobs().open(other, digest)).toBeNull();
    }
    for (const other of others) {
      await blobs().put(other, pieces(content), LIMIT);
      expect((await readAll(blobs(), other, digest))?.equals(content)).toBe(true);
    }
  });

  it('takes the same content again, one after the other and at once', async () => {
    const [org, content] = [unique('org'), bytes(300_000)];
    const info = { sha256: sha256(content), size: content.length };
    const putOnce = () => blobs().put(org, pieces(content), LIMIT);
    expect(await Promise.all(Array.from({ length: 8 }, putOnce))).toMatchObject(Array.from({ length: 8 }, () => info));
    expect(await putOnce()).toMatchObject(info);
    expect((await readAll(blobs(), org, info.sha256))?.equals(content)).toBe(true);
  });

  it('gives a blob to several readers at once', async () => {
    const [org, content] = [unique('org'), bytes(400_000)];
    const { sha256: digest } = await blobs().put(org, pieces(content), LIMIT);
    const read = await Promise.all([1, 2, 3, 4].map(() => readAll(blobs(), org, digest)));
    for (const item of read) expect(item?.equals(content)).toBe(true);
  });
}
