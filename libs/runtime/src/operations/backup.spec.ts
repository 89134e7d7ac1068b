import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperationRefused } from '@assurance/event-sourcing/operation';
import type { Backup } from '@assurance/storage-sqlite';
import { backupOperation } from './backup';

describe('the operation backup', () => {
  let folder: string;
  let data: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'assurance-'));
    data = join(folder, 'data');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const asked: unknown[] = [];
  const backup: Backup = (to, others) => {
    asked.push([to, others]);
    return Promise.resolve({ pages: 3, blobs: 2, linked: 1 });
  };
  const run = (engine: Backup, ...args: string[]) =>
    backupOperation(data, engine).run(args, () => undefined, new AbortController().signal);

  it('copies to a new folder, the secret too', async () => {
    const to = join(folder, 'data-of-today');
    const summary = `Copied 3 pages of the database and 2 blobs (1 as hard links) to ${to}.`;
    expect(await run(backup, to)).toMatchObject({ ok: true, summary, details: { to, pages: 3, blobs: 2, linked: 1 } });
    expect(asked).toEqual([[to, ['secret']]]);
  });

  it.each([
    ['no folder', () => []],
    ['two folders', () => [join(folder, 'a'), join(folder, 'b')]],
    ['a path that depends on where the service runs', () => ['copy']],
    ['a folder that is there', () => [folder]],
    ['a folder in the data folder', () => [join(data, 'copy')]],
  ])('refuses %s', async (_, words) => {
    await expect(run(backup, ...words())).rejects.toBeInstanceOf(OperationRefused);
  });

  it('says why it cannot write', async () => {
    const full = () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
    await expect(run(full, join(folder, 'copy'))).rejects.toThrow(/cannot be written to .*copy: no space left\.$/);
  });
});
