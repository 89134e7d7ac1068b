import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, pack } from 'tar-stream';

/** A file of an archive. */
export interface Entry {
  /** Its path, with `/` between parts. */
  readonly name: string;
  readonly content: Buffer;
  readonly executable?: true;
}

/** The files below a folder that pass, by path, in an order that no file system decides. */
export function filesOf(folder: string, passes: (path: string) => boolean = () => true, prefix = ''): Entry[] {
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry): Entry[] => {
      const path = join(folder, entry.name);
      const name = `${prefix}${entry.name}`;
      if (!passes(name)) return [];
      if (statSync(path).isDirectory()) return filesOf(path, passes, `${name}/`);
      return [{ name, content: readFileSync(path) }];
    });
}

/**
 * A `.tar.gz` whose bytes depend on its files alone: sorted, without owners, and of one time.
 *
 * @param top the folder that holds all
 * @param time of all files (seconds since 1970)
 */
export async function tarball(top: string, entries: readonly Entry[], time: number): Promise<Buffer> {
  const archive = pack();
  const gzip = createGzip({ level: 9 });
  archive.pipe(gzip);
  const parts = gzip.toArray();
  for (const { name, content, executable } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const header = { name: `${top}/${name}`, mode: executable ? 0o755 : 0o644, mtime: new Date(time * 1_000) };
    await new Promise<void>((done, failed) =>
      archive.entry(header, content, (fault) => (fault == null ? done() : failed(fault))),
    );
  }
  archive.finalize();
  const bytes = Buffer.concat(await parts);
  bytes[9] = 255; // the system that compressed it: unknown
  return bytes;
}

/** The names of entries of a `.tar.gz` that are neither files nor folders, such as links. */
export async function linksIn(archive: string): Promise<string[]> {
  const links: string[] = [];
  const entries = extract();
  entries.on('entry', ({ name, type }, content, next) => {
    if (type !== 'file' && type !== 'directory') links.push(name);
    content.on('end', next).resume();
  });
  await pipeline(createReadStream(archive), createGunzip(), entries);
  return links;
}
