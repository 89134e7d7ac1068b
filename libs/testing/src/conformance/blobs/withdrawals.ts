import { sha256 } from '@assurance/kernel';
import type { Blobs } from '@assurance/storage-ports';
import { lookAlikes, unique } from '../harness';
import { bytes, pieces, readAll } from './content';

const LIMIT = 1_000_000;

export function withdrawals(blobs: () => Blobs, setClock: (change: number) => void): void {
  const put = (org: string, content: Buffer) => blobs().put(org, pieces(content), LIMIT);

  it('says which put added the content, and gives each a larger revision, whatever the clock shows', async () => {
    const [org, content] = [unique('org'), bytes(1_000)];
    const first = await put(org, content);
    const second = await put(org, content);
    setClock(-3_600_000);
    const third = await put(org, content);
    setClock(3_600_000);
    expect([first, second, third].map(({ added }) => added)).toEqual([true, false, false]);
    expect(second.revision).toBeGreaterThan(first.revision);
    expect(third.revision).toBeGreaterThan(second.revision);
    const atOnce = await Promise.all(Array.from({ length: 6 }, () => put(org, bytes(500))));
    expect(atOnce.filter(({ added }) => added)).toHaveLength(6);
    const same = bytes(700);
    const all = await Promise.all(Array.from({ length: 6 }, () => put(org, same)));
    expect(all.filter(({ added }) => added)).toHaveLength(1);
    expect(new Set(all.map(({ revision }) => revision)).size).toBe(6);
  });

  it('removes a blob that nobody put again, of one organization alone', async () => {
    const content = bytes(1_000);
    const [own, ...others] = lookAlikes(unique('org'));
    const { revision } = await put(own!, content);
    for (const other of others) await put(other, content);
    expect(await blobs().withdraw(own!, sha256(content), revision)).toBe(true);
    expect(await blobs().stat(own!, sha256(content))).toBeNull();
    for (const other of others) expect(await blobs().stat(other, sha256(content))).not.toBeNull();
    expect(await blobs().withdraw(own!, sha256(content), revision)).toBe(false);
    expect((await put(own!, content)).added).toBe(true);
    expect((await readAll(blobs(), own!, sha256(content)))?.equals(content)).toBe(true);
  });

  it('leaves what was put again since, and what is no digest', async () => {
    const [org, content] = [unique('org'), bytes(1_000)];
    const { revision } = await put(org, content);
    await put(org, content);
    expect(await blobs().withdraw(org, sha256(content), revision)).toBe(false);
    expect(await blobs().withdraw(org, '../x', revision)).toBe(false);
    expect((await readAll(blobs(), org, sha256(content)))?.equals(content)).toBe(true);
  });

  it('loses no later put, for any interleaving of the two', async () => {
    const [org, content] = [unique('org'), bytes(100_000)];
    for (let round = 0; round < 20; round += 1) {
      const { revision } = await put(org, content);
      const [, again] = await Promise.all([blobs().withdraw(org, sha256(content), revision), put(org, content)]);
      expect((await readAll(blobs(), org, sha256(content)))?.equals(content)).toBe(true);
      expect(await blobs().withdraw(org, sha256(content), again.revision)).toBe(true);
    }
  });
}
