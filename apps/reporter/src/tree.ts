import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { type Folders, globDeep } from './glob';

/** A file, a link to a folder, or a folder. Each has a digest. `nameBytes`: its name, where that is not UTF-8. */
export type TreeNode = { readonly nameBytes?: Buffer } & (
  | { readonly kind: 'file'; digest(): Promise<string> }
  | { readonly kind: 'link'; readonly target: string | Buffer }
  | { readonly kind: 'folder'; readonly children: ReadonlyMap<string, TreeNode> }
);

export type Folder = Extract<TreeNode, { kind: 'folder' }>;

/** A file at the top of a folder. It lists what the digest of the folder leaves out, one pattern per line. */
export const IGNORE_FILE = '.kosli_ignore';
const ROOT = 'tree';

/** The patterns of an ignore file. `#` begins a comment. */
export function ignoreRules(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => (line.split('#')[0] ?? '').trim())
    .filter((line) => line !== '');
}

/**
 * The SHA-256 of a folder, as the published command line computes it. It is the digest over all entries in the order of their names: the digest of
 * each name, followed by the digest of the file's content or of the link's target. The folder's own name does not count.
 *
 * @param rules patterns of paths below the folder that are left out
 */
export async function folderDigest(root: Folder, rules: readonly string[]): Promise<string> {
  const pathsToSkip = excludedPaths(root, rules);
  const hash = createHash('sha256');
  const walk = async (folder: Folder, path: string): Promise<void> => {
    for (const [name, node] of sortEntries(folder)) {
      const place = `${path}/${name}`;
      if (pathsToSkip.has(place)) continue;
      hash.update(sha256(node.nameBytes ?? name));
      if (node.kind === 'file') hash.update(await node.digest());
      else if (node.kind === 'link') hash.update(sha256(node.target));
      else await walk(node, place);
    }
  };
  await walk(root, ROOT);
  return hash.digest('hex');
}

function excludedPaths(root: Folder, rules: readonly string[]): Set<string> {
  const folders = foldersOf(root);
  const patterns = rules.map((rule) => posix.join(ROOT, rule).replace(/\/$/, ''));
  return new Set(
    patterns.filter((pattern) => pattern.startsWith(`${ROOT}/`)).flatMap((pattern) => globDeep(folders, pattern)),
  );
}

function foldersOf(root: Folder): Folders {
  const find = (path: string): TreeNode | undefined => {
    const [first, ...names] = posix.normalize(path).replace(/\/$/, '').split('/');
    if (first !== ROOT) return undefined;
    return names.reduce<TreeNode | undefined>(
      (node, name) => (node?.kind === 'folder' ? node.children.get(name) : undefined),
      root,
    );
  };
  return {
    exists: (path) => find(path) !== undefined,
    namesIn(path) {
      const node = find(path);
      return node?.kind === 'folder' ? sortEntries(node).map(([name]) => name) : null;
    },
  };
}

/** The entries of a folder, sorted by the bytes of their names. */
function sortEntries({ children }: Folder): [string, TreeNode][] {
  const bytesOf = ([name, { nameBytes }]: [string, TreeNode]) => nameBytes ?? Buffer.from(name);
  return [...children].sort((a, b) => Buffer.compare(bytesOf(a), bytesOf(b)));
}

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
