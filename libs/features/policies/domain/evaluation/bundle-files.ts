import { byteLength } from '@assurance/kernel';

const FILES_MAX = 100;
/** Bytes of paths and sources together. */
const BYTES_MAX = 1_048_576;

/** Why files cannot be the bundle of a policy, by the path of the field below `policy`; null if they can. */
export function bundleProblem(files: Readonly<Record<string, string>>): readonly [field: string, text: string] | null {
  const all = Object.entries(files);
  if (all.length === 0) return ['files', 'Input should have at least 1 file'];
  if (all.length > FILES_MAX)
    return ['files', `policy bundle holds ${all.length} files, over the limit of ${FILES_MAX}`];
  const names = new Map<string, string>();
  let bytes = 0;
  for (const [path, source] of all) {
    const problem = pathProblem(path);
    if (problem !== null) return [`files.${path}`, problem];
    const twin = names.get(path.normalize('NFC'));
    if (twin !== undefined) return [`files.${path}`, 'Two paths are the same text in Unicode NFC'];
    names.set(path.normalize('NFC'), path);
    bytes += byteLength(path) + byteLength(source);
  }
  return bytes > BYTES_MAX ? ['files', `policy bundle is ${bytes} bytes, over the ${BYTES_MAX} byte limit`] : null;
}

function pathProblem(path: string): string | null {
  if (path.includes('\0')) return 'A path should have no NUL character';
  if (/^([/\\]|[a-zA-Z]:)/.test(path)) return 'A path should be relative';
  const parts = path.split(/[/\\]/);
  if (parts.includes('..')) return "A path should have no part '..'";
  return parts.some((part) => part === '' || part === '.') ? 'A path should have no empty part' : null;
}
