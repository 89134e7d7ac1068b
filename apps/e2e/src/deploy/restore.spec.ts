import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { read, run } from './run';

describe('the script of the chart that restores a folder', () => {
  const SCRIPT = read('deploy/helm/assurance/scripts/restore-folder.sh');
  const folder = mkdtempSync(join(tmpdir(), 'assurance-restore-'));
  const [backups, data] = [join(folder, 'backups'), join(folder, 'restored')];
  const restore = (BACKUP: string) =>
    run('sh', ['-ec', SCRIPT], { PATH: process.env['PATH'], BACKUPS: backups, BACKUP, ASSURANCE_DATA_DIR: data });

  beforeAll(() => {
    mkdirSync(join(backups, '20261127T011700Z', 'blobs'), { recursive: true });
    mkdirSync(join(data, 'lost+found'), { recursive: true });
    for (const name of ['assurance.db', 'blobs/a']) writeFileSync(join(backups, '20261127T011700Z', name), name);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('lists the backups that are there, where there is no such backup', () => {
    expect(restore('20261126T011700Z')).toEqual({
      ok: false,
      out: expect.stringContaining('20261127T011700Z') as string,
    });
  });

  it('copies a backup, and writes over nothing', () => {
    expect(restore('20261127T011700Z')).toMatchObject({ ok: true });
    const restored = readdirSync(data, { encoding: 'utf8', recursive: true }).toSorted();
    expect(restored).toEqual(['assurance.db', 'blobs', 'blobs/a', 'lost+found']);
    expect(restore('20261127T011700Z')).toEqual({ ok: false, out: expect.stringContaining('is not empty') as string });
  });
});
