import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '@assurance/kernel';
import { StoreFull } from '@assurance/storage-ports';
import { FolderBlobs } from './blobs';

const DISK_BYTES = 1024 * 1024;

describe('a put of a blob on a full disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assurance-full-'));
  const mount = 'mount -t tmpfs -o "size=$1" tmpfs "$2" && echo mounted && exec cat';
  const holder = spawn(
    'unshare',
    ['--user', '--map-root-user', '--mount', 'sh', '-c', mount, 'sh', String(DISK_BYTES), folder],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  afterAll(async () => {
    holder.stdin.end();
    await once(holder, 'close');
    rmSync(folder, { recursive: true });
  });

  it('fails with StoreFull, leaves nothing, and the same content can be put when there is space again', async () => {
    // If the system does not allow the mount, the holder ends without a line.
    const [line] = (await Promise.race([once(holder.stdout, 'data'), once(holder, 'close')])) as [unknown];
    expect(String(line)).toBe('mounted\n');
    const disk = `/proc/${holder.pid}/root${folder}`;
    const blobs = await FolderBlobs.open(join(disk, 'blobs'), {
      now: () => 1_700_000_000_000,
      random: () => new Uint8Array(16),
    });
    const piece = Buffer.alloc(64 * 1024, 'x');
    const content = async function* () {
      for (let i = 0; i < 8; i += 1) yield await Promise.resolve(piece);
    };
    const digest = sha256(Buffer.concat(Array.from({ length: 8 }, () => piece)));
    const filler = join(disk, 'filler');
    fill(filler, DISK_BYTES - 256 * 1024);
    await expect(blobs.put('acme', content(), DISK_BYTES)).rejects.toBeInstanceOf(StoreFull);
    expect(await blobs.stat('acme', digest)).toBeNull();
    expect(await blobs.open('acme', digest)).toBeNull();
    expect(readdirSync(join(disk, 'blobs', '.put'))).toEqual([]);
    rmSync(filler);
    expect(await blobs.put('acme', content(), DISK_BYTES)).toMatchObject({ sha256: digest, size: 8 * piece.length });
    expect(await blobs.stat('acme', digest)).toEqual({ sha256: digest, size: 8 * piece.length });
  });
});

function fill(path: string, bytes: number): void {
  const file = openSync(path, 'w');
  for (let left = bytes; left > 0;) left -= writeSync(file, Buffer.alloc(left));
  closeSync(file);
}
