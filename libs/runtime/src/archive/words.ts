import { resolve } from 'node:path';

/** @returns the parsed arguments of `export`; null if they are not valid */
export function exportWords(args: readonly string[]) {
  let [to, organization, secrets]: [string | null, string | null, boolean] = [null, null, false];
  for (let i = 0; i < args.length; i += 1) {
    const value = args[i + 1] ?? '';
    if (args[i] === '--with-secrets' && !secrets) secrets = true;
    else if (args[i] === '--to' && to === null && value !== '') [to, i] = [value, i + 1];
    else if (args[i] === '--organization' && organization === null && value !== '') [organization, i] = [value, i + 1];
    else return null;
  }
  return to === null ? null : { to, organization, secrets };
}

/** Makes the path of a file or folder among the arguments of an operation absolute. */
export function withWholePath(name: string | undefined, args: readonly string[]): string[] {
  const places: Readonly<Record<string, number>> = { import: 0, backup: 0, vulnerabilities: 1, export: afterTo(args) };
  return args.map((word, i) => (i === places[name ?? ''] && word !== '' ? resolve(word) : word));
}

/** Where the file of `export` is; -1 if it is not named. */
function afterTo(args: readonly string[]): number {
  const at = args.indexOf('--to');
  return at < 0 ? at : at + 1;
}
