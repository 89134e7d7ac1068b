import { trimBoth } from '@assurance/kernel';

/** The longest path in a tar archive that every tool reads. */
export const PATH_MAX = 100;

/**
 * Converts a text that others chose into a part of a path. The part has ASCII letters, digits, dots, dashes and underscores. It has no dot or dash at
 * its beginning and no dot at its end. Two texts may give the same part. Callers that need distinct names add a number at the beginning.
 *
 * @param max characters
 * @param keep which end of a text that is too long is kept. For file names, keep the end, which has the extension
 */
export function safePart(text: string, max: number, keep: 'beginning' | 'end' = 'beginning'): string {
  const asciiText = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^A-Za-z0-9._-]+/g, '_');
  const shortText = keep === 'beginning' ? asciiText.slice(0, max) : asciiText.slice(-max);
  const part = trimBoth(shortText, /[._-]/);
  return part === '' ? 'unnamed' : part;
}

/** The name of a file without its folders. */
export function baseName(path: string): string {
  return path.replace(/^.*[/\\]/s, '');
}

/** Puts a padded number such as `0007` before a text, so that paths sort by number. */
export function numberedName(number: number, digits: number, text: string): string {
  return `${String(number).padStart(digits, '0')}-${text}`;
}

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
