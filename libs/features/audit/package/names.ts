/** The longest path in a tar archive that every tool reads. */
export const PATH_MAX = 100;

/**
 * A text that others chose, as a part of a path: ASCII letters, digits, dot, dash and underscore, no dot or dash at its beginning and no dot at its
 * end. Two texts may give the same name. Callers that need different names add a number at the beginning.
 *
 * @param max characters
 * @param keep which end stays when it is too long: of a file's name the one with its kind
 */
export function safePart(text: string, max: number, keep: 'beginning' | 'end' = 'beginning'): string {
  const plain = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^A-Za-z0-9._-]+/g, '_');
  const cut = keep === 'beginning' ? plain.slice(0, max) : plain.slice(-max);
  const trimmed = cut.replace(/^[._-]+/, '').replace(/[._-]+$/, '');
  return trimmed === '' ? 'unnamed' : trimmed;
}

/** The name of a file without the folders that it came with. */
export function baseName(path: string): string {
  return path.replace(/^.*[/\\]/s, '');
}

/** A number as part of a path, so that names sort as numbers do: `0007`. */
export function numbered(number: number, digits: number, text: string): string {
  return `${String(number).padStart(digits, '0')}-${text}`;
}

/** The file name of a package. */
export function packageName(...parts: readonly string[]): string {
  return fileName('audit-package', parts, 'tgz');
}

/** The file name of a report that is sent alone. */
export function reportName(...parts: readonly string[]): string {
  return fileName('audit-report', parts, 'pdf');
}

function fileName(kind: string, parts: readonly string[], ending: string): string {
  return `${[kind, ...parts.map((part) => safePart(part, 60))].join('-')}.${ending}`;
}
