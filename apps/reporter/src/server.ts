import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { createReadStream, type Dirent, existsSync, readdirSync, statSync } from 'node:fs';
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Folders, glob } from './glob';
import { sortByText, type Report, type Source } from './report';
import { type Folder, folderDigest, IGNORE_FILE, ignoreRules, type TreeNode } from './tree';

/** Files and folders of a machine. Each path that matches a pattern is an artifact, named by its absolute path. */
export interface Paths {
  readonly paths: readonly string[];
  /** Patterns of paths below each folder that its digest leaves out. */
  readonly exclude: readonly string[];
  /** Artifacts with their own names. */
  readonly artifacts: readonly { readonly name: string; readonly path: string; readonly exclude: readonly string[] }[];
}

export interface PathDigest {
  readonly name: string;
  readonly digest: string;
  /** Epoch seconds. */
  readonly modified: number;
}

function pathsReport(paths: readonly PathDigest[]): Report {
  const items = sortByText(paths, ({ name }) => name);
  return {
    artifacts: items.map(({ name, digest, modified }) => ({
      digests: { [name]: digest },
      creationTimestamp: modified,
    })),
  };
}

export function serverSource({ paths, exclude, artifacts }: Paths): Source {
  return {
    async collect() {
      const result = paths.flatMap((pattern) => {
        const matches = glob(FILES, pattern);
        if (matches.length === 0) throw new Error(`No file or folder matches ${pattern}.`);
        return matches.map((path) => ({ name: resolve(path), path, exclude }));
      });
      const all: PathDigest[] = [];
      for (const { name, path, exclude: rules } of [...result, ...artifacts])
        all.push(await pathDigest(name, path, rules));
      return pathsReport(all);
    },
  };
}

const FILES: Folders = {
  exists: existsSync,
  namesIn: (path) => (existsSync(path) && statSync(path).isDirectory() ? readdirSync(path).sort() : null),
};

/** @throws if a file below the path cannot be read: a digest without it would belong to another artifact */
async function pathDigest(name: string, path: string, exclude: readonly string[]): Promise<PathDigest> {
  const stats = await stat(path);
  const modified = Math.floor(stats.mtimeMs / 1_000);
  if (!stats.isDirectory()) return { name, digest: await fileDigest(path), modified };
  const ignored = existsSync(join(path, IGNORE_FILE))
    ? ignoreRules(await readFile(join(path, IGNORE_FILE), 'utf8'))
    : [];
  return { name, digest: await folderDigest(await folderAt(Buffer.from(path)), [...exclude, ...ignored]), modified };
}

/** @param path in bytes: names in Linux need not be UTF-8 */
async function folderAt(path: Buffer): Promise<Folder> {
  const children = new Map<string, TreeNode>();
  for (const entry of await readdir(path, { withFileTypes: true, encoding: 'buffer' })) {
    const { name } = entry;
    const node = await nodeAt(entry, Buffer.concat([path, SLASH, name]));
    if (isUtf8(name)) children.set(name.toString(), node);
    else children.set(withSurrogates(name), { ...node, nameBytes: name });
  }
  return { kind: 'folder', children };
}

async function nodeAt(entry: Dirent<Buffer>, place: Buffer): Promise<TreeNode> {
  if (entry.isDirectory()) return folderAt(place);
  if (entry.isSymbolicLink() && isFolder(place))
    return { kind: 'link', target: await readlink(place, { encoding: 'buffer' }) };
  if (entry.isFile() || entry.isSymbolicLink()) return { kind: 'file', digest: async () => fileDigest(place) };
  const problem = `${place.toString()} is neither a file nor a folder: exclude it.`;
  return { kind: 'file', digest: async () => Promise.reject(new Error(problem)) };
}

/** A name that is not UTF-8, for patterns. Lone surrogates stand for its bytes beyond ASCII, so no other name is equal to it. */
function withSurrogates(name: Buffer): string {
  return [...name].map((byte) => String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte)).join('');
}

const SLASH = Buffer.from('/');

const isFolder = (path: Buffer) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

async function fileDigest(path: string | Buffer): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
