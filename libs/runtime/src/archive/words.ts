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
  const first = name === 'import' || name === 'backup';
  const at = name === 'export' ? args.indexOf('--to') + 1 : 0;
  const isWhole = first || at > 0;
  return args.map((word, i) => (isWhole && i === at && word !== '' ? resolve(word) : word));
}
