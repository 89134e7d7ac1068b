import { rm } from 'node:fs/promises';
import { DataFolderInUse } from '@assurance/storage-ports';
import { openOn, temporaryFolder } from './testing/open-temporary';
import { spawnChild } from './testing/spawn-child';

describe('the lock of a data folder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('refuses a second process while this one has the folder, naming the folder', async () => {
    const engines = await openOn(folder);
    const child = spawnChild(folder, 'hold');
    try {
      const [line] = await child.written(1);
      expect(line).toContain('DataFolderInUse');
      expect(line).toContain(folder);
    } finally {
      await child.kill();
      await engines.close();
    }
  });

  it('refuses this process while another has the folder, and no longer once that one was killed', async () => {
    const child = spawnChild(folder, 'hold');
    try {
      expect(await child.written(1)).toEqual(['open']);
      await expect(openOn(folder)).rejects.toBeInstanceOf(DataFolderInUse);
    } finally {
      await child.kill();
    }
    const engines = await openOn(folder);
    expect(await engines.problems()).toEqual([]);
    await engines.close();
  });

  it('refuses the same process twice, and frees the folder with close', async () => {
    const engines = await openOn(folder);
    await expect(openOn(folder)).rejects.toThrow(folder);
    await engines.close();
    const again = await openOn(folder);
    await again.close();
  });
});
