import { Readable } from 'node:stream';
import fc from 'fast-check';
import { entriesOf } from './read';
import { tarOf } from './write';

const AT = 1_700_000_000_000;

async function whole(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

async function read(tar: Uint8Array): Promise<object[]> {
  const results: object[] = [];
  for await (const { path, type, content } of entriesOf(Readable.from([tar])))
    results.push({ path, type, text: (await whole(content)).toString('latin1') });
  return results;
}

const file = (...pieces: string[]) => ({
  path: 'a',
  size: pieces.join('').length,
  content: pieces.map((piece) => Buffer.from(piece, 'latin1')),
});

describe('an archive', () => {
  it('gives back what it was made of, whatever the paths and pieces', async () => {
    const paths = fc.string({ unit: fc.constantFrom('a', 'é', '😀'), minLength: 1, maxLength: 120 });
    const pieces = fc.array(fc.integer({ min: 0, max: 70_000 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(paths, pieces), { maxLength: 4 }), async (values) => {
        const files = values.map(([path, sizes]) => ({ ...file(...sizes.map((size) => 'x'.repeat(size))), path }));
        const texts = values.map(([path, sizes]) => ({
          path,
          type: 'file',
          text: 'x'.repeat(sizes.reduce((sum, size) => sum + size, 0)),
        }));
        expect(await read(await whole(tarOf(files, AT)))).toEqual(texts);
      }),
      { numRuns: 30 },
    );
  });

  it('is the same bytes for the same files and time', async () => {
    const archive = () => whole(tarOf([file('x'), { ...file('y'), path: 'b' }], AT));
    expect((await archive()).equals(await archive())).toBe(true);
  });

  it('ends with the fault of its input', async () => {
    async function* broken() {
      yield Buffer.from('x');
      throw new Error('the disk is gone');
    }
    await expect(whole(tarOf([{ ...file('xx'), content: broken() }], AT))).rejects.toThrow('the disk is gone');
    for (const size of [0, 1, 3]) await expect(whole(tarOf([{ ...file('xx'), size }], AT))).rejects.toThrow();
  });

  it('is no archive when it was cut', async () => {
    const tar = await whole(tarOf([file('x'.repeat(2_000))], AT));
    for (const end of [1, 511, 700, 2_000]) await expect(read(tar.subarray(0, end))).rejects.toThrow();
  });

  it('reports a fault of the stream that it reads', async () => {
    const tar = await whole(tarOf([file('x')], AT));
    async function* broken() {
      yield tar.subarray(0, 512);
      await Promise.reject(new Error('the line is cut'));
    }
    const entries = async () => {
      for await (const { content } of entriesOf(Readable.from(broken()))) await whole(content);
    };
    await expect(entries()).rejects.toThrow('the line is cut');
  });
});
