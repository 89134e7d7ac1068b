import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

/** A built file of the pages, in memory. */
export interface PageFile {
  /** Its content type. */
  readonly type: string;
  readonly plain: Buffer;
  /** The compressed content, if the build made it. */
  readonly compressed: Readonly<Record<Encoding, Buffer | undefined>>;
}

/** The best one first. */
export const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

const SUFFIXES: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** The name of the entry page. */
export const ENTRY = 'index.html';

/** The built files of the pages, by path below the folder, with `/` between parts; null if there is no entry page. */
export async function builtPages(folder: string): Promise<ReadonlyMap<string, PageFile> | null> {
  const contents = new Map<string, Buffer>();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries.filter((file) => file.isFile())) {
    const path = join(entry.parentPath, entry.name);
    contents.set(relative(folder, path).split(sep).join('/'), await readFile(path));
  }
  if (!contents.has(ENTRY)) return null;
  const suffixes = Object.values(SUFFIXES);
  return new Map(
    [...contents]
      .filter(([name]) => !suffixes.includes(extname(name)))
      .map(([name, plain]) => {
        const [br, gzip] = ENCODINGS.map((encoding) => contents.get(name + SUFFIXES[encoding]));
        const type = TYPES[extname(name)] ?? 'application/octet-stream';
        return [name, { type, plain, compressed: { br, gzip } }];
      }),
  );
}
