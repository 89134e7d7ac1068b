import type { Commit } from '@assurance/storage-ports';
import { BrokenRecord, commitAt, contentOf, findCommit } from './read';

const at = (seq: number) => ({ stream: 's', seq }) as Commit;
/** A stream that lost its second commit. */
const store = {
  read: (_: string, from: number, limit: number) =>
    Promise.resolve([at(1), at(3)].filter(({ seq }) => seq >= from).slice(0, limit)),
};

describe('the commit at a position', () => {
  it.each([
    ['is found', 3, 3],
    ['is not the one after a gap', 2, null],
    ['is none after the end', 4, null],
    ['is none before the first', 0, null],
  ])('%s', async (_, seq, result) => {
    expect((await findCommit(store, 's', seq))?.seq ?? null).toBe(result);
    if (result !== null) expect((await commitAt(store, 's', seq)).seq).toBe(result);
    else await expect(commitAt(store, 's', seq)).rejects.toThrow(new BrokenRecord(`commit ${seq} of s is gone`));
  });
});

describe('the content of a blob', () => {
  it('is read in pieces, and reading fails if it is gone', async () => {
    async function* pieces() {
      yield* await Promise.resolve([Buffer.from('a'), Buffer.from('b')]);
    }
    const blobs = { open: (_: string, sha256: string) => Promise.resolve(sha256 === 'ab' ? pieces() : null) };
    const read = async (sha256: string) => {
      const results: string[] = [];
      for await (const piece of contentOf(blobs, 'acme', sha256)) results.push(Buffer.from(piece).toString());
      return results;
    };
    expect(await read('ab')).toEqual(['a', 'b']);
    await expect(read('cd')).rejects.toThrow(new BrokenRecord('the blob cd is gone'));
  });
});
