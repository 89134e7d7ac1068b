import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openOn, temporaryFolder } from './testing/open-temporary';

describe('what puts left that broke off', () => {
  it('is removed piece by piece, but for what a put is writing', async () => {
    const folder = await temporaryFolder();
    const engines = await openOn(folder);
    const puts = join(folder, 'blobs', '.put');
    await mkdir(puts, { recursive: true });
    for (const name of ['a', 'b', 'c']) await writeFile(join(puts, name), 'left behind');
    const written: number[] = [];
    async function* content() {
      yield Buffer.from('some');
      let after: string | null = null;
      let looks = 0;
      do {
        after = await engines.blobs.sweepBroken({ after, limit: 2, before: 0 });
        looks += 1;
      } while (after !== null);
      written.push(looks, (await readdir(puts)).length);
      yield Buffer.from(' more');
    }
    expect(await engines.blobs.put('org', content(), 100)).toMatchObject({ size: 9 });
    expect(written).toEqual([2, 1]);
    expect(await readdir(puts)).toEqual([]);
    await engines.close();
    await rm(folder, { recursive: true });
  });
});
