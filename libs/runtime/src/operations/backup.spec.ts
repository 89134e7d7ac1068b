import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
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

  let now = Date.UTC(2026, 10, 27, 1, 2, 3);
  const requests: unknown[] = [];
  const backup: Backup = (to, others) => {
    requests.push([to, others]);
    return Promise.resolve({ pages: 3, blobs: 2, linked: 1 });
  };
  const noted: number[] = [];
  const note = (at: number) => Promise.resolve(void noted.push(at));
  const run = (engine: Backup, ...args: string[]) =>
    backupOperation(data, engine, note, () => now).run(args, () => undefined, new AbortController().signal);

  it('copies to a new folder, the secret too', async () => {
    const to = join(folder, 'data-of-today');
    const summary = `Copied 3 pages of the database and 2 blobs (1 as hard links) to ${to}.`;
    expect(await run(backup, to)).toMatchObject({ ok: true, summary, details: { to, pages: 3, blobs: 2, linked: 1 } });
    expect(requests).toEqual([[to, ['secret']]]);
    expect(noted).toEqual([now]);
  });

  it('names copies by the time and keeps the newest ones, and nothing else goes', async () => {
    const copying: Backup = (to) => {
      mkdirSync(to);
      return Promise.resolve({ pages: 1, blobs: 0, linked: 0 });
    };
    const copies = join(folder, 'copies');
    await run(copying, copies, '--keep', '2');
    mkdirSync(join(copies, 'of-mine'));
    for (let i = 0; i < 2; i += 1) {
      now += 86_400_000;
      await run(copying, copies, '--keep', '2');
    }
    expect(readdirSync(copies).sort()).toEqual(['20261128T010203Z', '20261129T010203Z', 'of-mine']);
    await expect(run(copying, copies, '--keep', '2')).rejects.toThrow(/20261129T010203Z exists/);
  });

  it.each([
    ['no folder', () => []],
    ['no count', () => [join(folder, 'a'), '--keep']],
    ['a count of none', () => [join(folder, 'a'), '--keep', '0']],
    ['another option', () => [join(folder, 'a'), '--all', '2']],
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
