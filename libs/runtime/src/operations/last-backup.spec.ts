import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedEngines, openEmbedded } from '@assurance/storage-sqlite';
import { Metrics } from '../metrics/metrics';
import { lastBackupAt, noteBackup } from './last-backup';

describe('the age of the last backup', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assurance-backup-age-'));
  let engines: EmbeddedEngines;
  beforeAll(async () => {
    engines = await openEmbedded({ folder, now: () => Date.now(), random: (bytes) => randomBytes(bytes) });
  });
  afterAll(async () => {
    await engines.close();
    rmSync(folder, { recursive: true });
  });

  it('counts from the first time that somebody asks, and then from the newest backup', async () => {
    const { documents } = engines;
    expect(await lastBackupAt(documents, 1_000)).toBe(1_000);
    expect(await lastBackupAt(documents, 5_000)).toBe(1_000);
    await noteBackup(documents, 7_000);
    expect(await lastBackupAt(documents, 9_000)).toBe(7_000);
  });

  it('is a metric beside the schedule, and never negative where a clock was set back', async () => {
    const metrics = new Metrics(() => performance.now());
    await noteBackup(engines.documents, 1_000_000);
    let now = 3_600_000;
    metrics.watchBackups(engines.documents, 3_600, () => now);
    const ageOf = async () => {
      const { text } = await metrics.text();
      expect(text).toContain('\nassurance_backup_schedule_seconds 3600\n');
      return Number(/^assurance_backup_age_seconds (\S+)$/m.exec(text)?.[1]);
    };
    expect(await ageOf()).toBe(2_600);
    now = 0;
    expect(await ageOf()).toBe(0);
    metrics.stop();
  });
});
