import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, rename, rm, stat, unlink, utimes } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sha256 as digestOf, KeyedLimiter } from '@assurance/kernel';
import {
  type BlobInfo,
  type Blobs,
  BlobTooLarge,
  type StoredBlob,
  type SweepPiece,
  type SweepResult,
} from '@assurance/storage-ports';
import { codeOf, portErrorOf } from './faults';
import { makeFolder, syncFolder } from './folders';

const PLAIN_NAME = /^[a-z0-9-]{1,64}$/;
const SHA256 = /^[0-9a-f]{64}$/;

/** Dependencies of the blobs. */
export interface BlobDependencies {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
}

/**
 * Blobs as files, `<org>/<first two digits>/<sha256>`. A put writes its own file in `.put`, syncs it and renames it. So a file with a blob's name has
 * all its bytes. The modification time of a file is the revision of its last put.
 */
export class FolderBlobs implements Blobs {
  /** Folders that this process has synced. Other folders may come from a process that was killed before it synced them. */
  private readonly folders = new Map<string, Promise<void>>();
  /** Names of the files that puts write now. */
  private readonly pathsBeingWritten = new Set<string>();
  /** By path. */
  private readonly limiter = new KeyedLimiter();

  private constructor(
    private readonly folder: string,
    private readonly surroundings: BlobDependencies,
  ) {}

  /** Removes what broken puts left. The data folder must be locked before the call. */
  static async open(folder: string, surroundings: BlobDependencies): Promise<FolderBlobs> {
    await rm(join(folder, '.put'), { recursive: true, force: true });
    await makeFolder(join(folder, '.put'));
    return new FolderBlobs(folder, surroundings);
  }

  async put(org: string, content: AsyncIterable<Uint8Array>, limit: number): Promise<StoredBlob> {
    const name = Buffer.from(this.surroundings.random(16)).toString('hex');
    const temporaryPath = join(this.folder, '.put', name);
    this.pathsBeingWritten.add(name);
    try {
      const info = await write(temporaryPath, content, limit);
      const path = this.pathOf(org, info.sha256);
      const storedBlob = await translateErrors(() => this.limiter.run(path, () => this.storeFile(temporaryPath, path)));
      return { ...info, ...storedBlob };
    } catch (error) {
      await rm(temporaryPath, { force: true }).catch(() => undefined);
      throw error;
    } finally {
      this.pathsBeingWritten.delete(name);
    }
  }

  async withdraw(org: string, sha256: string, revision: number): Promise<boolean> {
    if (!SHA256.test(sha256)) return false;
    const path = this.pathOf(org, sha256);
    const remove = async () => {
      if ((await timeOf(path)) !== revision) return false;
      await unlink(path);
      return true;
    };
    return translateErrors(() => this.limiter.run(path, remove));
  }

  async stat(org: string, sha256: string): Promise<BlobInfo | null> {
    if (!SHA256.test(sha256)) return null;
    const size = await translateErrors(() => sizeOf(this.pathOf(org, sha256)));
    return size === null ? null : { sha256, size };
  }

  async open(org: string, sha256: string): Promise<AsyncIterable<Uint8Array> | null> {
    const info = await this.stat(org, sha256);
    return info === null ? null : read(this.pathOf(org, sha256));
  }

  async *list(org: string): AsyncGenerator<BlobInfo> {
    const folder = this.folderOf(org);
    for (const part of await translateErrors(() => namesIn(folder))) {
      for (const sha256 of await translateErrors(() => namesIn(join(folder, part)))) {
        const info = await this.stat(org, sha256);
        if (info !== null) yield info;
      }
    }
  }

  async sweep(
    org: string,
    { after, limit, before }: SweepPiece,
    isNamed: (sha256s: readonly string[]) => Promise<ReadonlySet<string>>,
  ): Promise<SweepResult> {
    const names = await translateErrors(() => this.namesAfter(this.folderOf(org), after ?? '', limit));
    const isOld = async (sha256: string) => {
      const at = await timeOf(this.pathOf(org, sha256));
      return at !== null && at < before;
    };
    const old: string[] = [];
    for (const sha256 of names) if (await translateErrors(() => isOld(sha256))) old.push(sha256);
    const referencedDigests = old.length === 0 ? new Set<string>() : await isNamed(old);
    let bytes = 0;
    for (const sha256 of old) {
      if (referencedDigests.has(sha256)) continue;
      const path = this.pathOf(org, sha256);
      const remove = async () => {
        // A put may have changed the time since, so it is read again. No put can run between this check and the removal.
        if (!(await isOld(sha256))) return;
        const size = await sizeOf(path);
        await unlink(path);
        bytes += size ?? 0;
      };
      await translateErrors(() => this.limiter.run(path, remove));
    }
    return { next: names.length < limit ? null : (names.at(-1) ?? null), bytes };
  }

  async sweepBroken({ after, limit }: Pick<SweepPiece, 'after' | 'limit'>): Promise<string | null> {
    const folder = join(this.folder, '.put');
    const names = (await translateErrors(() => namesIn(folder))).filter((name) => name > (after ?? '')).sort();
    const pageOfNames = names.slice(0, limit);
    // Only this process uses the folder, so a file that none of its puts is writing was left behind.
    for (const name of pageOfNames)
      if (!this.pathsBeingWritten.has(name)) await translateErrors(() => rm(join(folder, name), { force: true }));
    return names.length <= limit ? null : (pageOfNames.at(-1) ?? null);
  }

  /** Digests of an organization, in order. */
  private async namesAfter(folder: string, after: string, limit: number): Promise<string[]> {
    const names: string[] = [];
    for (const part of (await namesIn(folder)).sort()) {
      if (part < after.slice(0, part.length)) continue;
      names.push(...(await namesIn(join(folder, part))).filter((name) => name > after).sort());
      if (names.length >= limit) break;
    }
    return names.slice(0, limit);
  }

  /** Renames a finished file, or deletes it if a file with that name exists. In both cases the name is on disk afterwards. */
  private async storeFile(temporaryPath: string, path: string): Promise<Pick<StoredBlob, 'added' | 'revision'>> {
    await this.folderFor(path);
    const before = await timeOf(path);
    // Revisions grow even if the clock was set back or stands still.
    const revision = Math.max(this.surroundings.now(), (before ?? 0) + 1);
    if (before === null) await rename(temporaryPath, path);
    else await unlink(temporaryPath);
    await utimes(path, revision / 1_000, revision / 1_000);
    await syncFolder(dirname(path));
    return { added: before === null, revision };
  }

  private folderFor(path: string): Promise<void> {
    const folder = dirname(path);
    const cachedFolder = this.folders.get(folder);
    if (cachedFolder !== undefined) return cachedFolder;
    const created = makeFolder(folder).then(async () => {
      await syncFolder(dirname(folder));
      await syncFolder(this.folder);
    });
    this.folders.set(folder, created);
    created.catch(() => this.folders.delete(folder));
    return created;
  }

  private pathOf(org: string, sha256: string): string {
    return join(this.folderOf(org), sha256.slice(0, 2), sha256);
  }

  private folderOf(org: string): string {
    return join(this.folder, PLAIN_NAME.test(org) ? org : `_${digestOf(JSON.stringify(org))}`);
  }
}

async function write(path: string, content: AsyncIterable<Uint8Array>, limit: number): Promise<BlobInfo> {
  const file = await translateErrors(() => open(path, 'wx', 0o600));
  try {
    const hash = createHash('sha256');
    let size = 0;
    for await (const piece of content) {
      size += piece.length;
      if (size > limit) throw new BlobTooLarge(limit);
      hash.update(piece);
      await translateErrors(() => writeAll(file, piece));
    }
    await translateErrors(() => file.sync());
    return { sha256: hash.digest('hex'), size };
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, piece: Uint8Array): Promise<void> {
  for (let from = 0; from < piece.length;) {
    const { bytesWritten } = await file.write(piece, from);
    from += bytesWritten;
  }
}

async function* read(path: string): AsyncGenerator<Uint8Array> {
  for await (const piece of createReadStream(path)) yield piece as Uint8Array;
}

/** Names in a folder; empty if the folder does not exist. */
const namesIn = (folder: string) => orMissing(readdir(folder), []);

async function sizeOf(path: string): Promise<number | null> {
  return (await orMissing(stat(path), null))?.size ?? null;
}

/** Time of the last put of a file, in integer milliseconds; null if there is no such file. */
async function timeOf(path: string): Promise<number | null> {
  const stats = await orMissing(stat(path), null);
  // The time comes as a fraction of seconds. The conversion loses less than a microsecond.
  return stats === null ? null : Math.round(stats.mtimeMs);
}

/** What a read of the disk returns, or `missing` if there is no such file or folder. */
async function orMissing<T, Missing>(read: Promise<T>, missing: Missing): Promise<T | Missing> {
  try {
    return await read;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return missing;
    throw error;
  }
}

/** Turns faults of the disk into the port's errors. Other errors stay unchanged. */
async function translateErrors<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw portErrorOf(error);
  }
}
