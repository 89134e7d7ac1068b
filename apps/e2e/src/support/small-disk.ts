import { closeSync, cpSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';

/** The arguments with which a command runs on a file system of so many bytes, mounted over a folder and seen by that command alone. */
export function onSmallDisk(folder: string, bytes: number): string[] {
  mkdirSync(folder, { recursive: true });
  const mount = 'mount -t tmpfs -o "size=$1" tmpfs "$2" && shift 2 && exec "$@"';
  return ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', mount, 'sh', String(bytes), folder];
}

/** The arguments with which a command joins another that has such a file system. */
export function onDiskOf(pid: number): string[] {
  return ['nsenter', '--user', '--preserve-credentials', '--mount', '--target', String(pid)];
}

/** The file system of a command that runs so. It stays while this is open, also when the command has ended. */
export class SmallDisk {
  private readonly handle: number;

  /** @param pid of the command, once it uses the file system */
  constructor(pid: number, folder: string) {
    this.handle = openSync(`/proc/${pid}/root${folder}`, 'r');
  }

  /** Fills the rest of the disk. */
  fill(): void {
    const file = openSync(this.pathOf('filler'), 'a');
    try {
      for (const piece of [Buffer.alloc(64 * 1024), Buffer.alloc(1)]) {
        while (tryWrite(file, piece));
      }
    } finally {
      closeSync(file);
    }
  }

  /** Gives it back. */
  free(): void {
    rmSync(this.pathOf('filler'));
  }

  copy(name: string, to: string): void {
    cpSync(this.pathOf(name), to, { recursive: true });
  }

  close(): void {
    closeSync(this.handle);
  }

  private pathOf(name: string): string {
    return `/proc/self/fd/${this.handle}/${name}`;
  }
}

function tryWrite(file: number, piece: Buffer): boolean {
  try {
    return writeSync(file, piece) > 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false;
    throw error;
  }
}
