import { compareTexts } from '@assurance/kernel';
import { compareDigits, compareLists } from './order';
import type { VersionRules } from './rules';

const VERSION =
  /^([0-9]+(?:\.[0-9]+)*)([a-z]?)((?:_(?:alpha|beta|pre|rc|cvs|svn|git|hg|p)[0-9]*)*)((?:~[0-9a-f]+)?)((?:-r[0-9]+)?)$/;
const SUFFIXES = ['alpha', 'beta', 'pre', 'rc', '', 'cvs', 'svn', 'git', 'hg', 'p'];
const RELEASE = SUFFIXES.indexOf('');

/** What parts a version has, in their order. */
const KINDS = ['first', 'number', 'letter', 'suffix', 'suffixNumber', 'hash', 'revision', 'end'] as const;
interface Part {
  readonly kind: (typeof KINDS)[number];
  readonly text: string;
}
const END: Part = { kind: 'end', text: '' };

function partsOf(version: string): readonly Part[] | null {
  const match = VERSION.exec(version);
  if (match === null) return null;
  const [, numbers = '', letter = '', suffixes = '', hash = '', revision = ''] = match;
  const [first = '', ...others] = numbers.split('.');
  const parts: Part[] = [{ kind: 'first', text: first }];
  for (const text of others) parts.push({ kind: 'number', text });
  if (letter !== '') parts.push({ kind: 'letter', text: letter });
  for (const [, suffix = '', number = ''] of suffixes.matchAll(/_([a-z]+)([0-9]*)/g)) {
    parts.push({ kind: 'suffix', text: suffix });
    if (number !== '') parts.push({ kind: 'suffixNumber', text: number });
  }
  if (hash !== '') parts.push({ kind: 'hash', text: hash.slice(1) });
  if (revision !== '') parts.push({ kind: 'revision', text: revision.slice(2) });
  return parts;
}

const isBeforeRelease = ({ kind, text }: Part) => kind === 'suffix' && SUFFIXES.indexOf(text) < RELEASE;

function compareParts(a: Part, b: Part): number {
  if (a.kind !== b.kind) {
    if (isBeforeRelease(a)) return -1;
    if (isBeforeRelease(b)) return 1;
    return KINDS.indexOf(a.kind) > KINDS.indexOf(b.kind) ? -1 : 1;
  }
  if (a.kind === 'suffix') return Math.sign(SUFFIXES.indexOf(a.text) - SUFFIXES.indexOf(b.text));
  if (a.kind === 'letter' || a.kind === 'hash') return compareTexts(a.text, b.text);
  // After the first, a number with a leading zero counts as a fraction does.
  if (a.kind === 'number' && (a.text.startsWith('0') || b.text.startsWith('0'))) return compareTexts(a.text, b.text);
  return compareDigits(a.text, b.text);
}

/**
 * The order of Alpine packages.
 *
 * @see https://gitlab.alpinelinux.org/alpine/apk-tools/-/blob/master/doc/apk-package.5.scd
 */
export const apk: VersionRules<readonly Part[]> = {
  read: partsOf,
  compare: (a, b) => compareLists(a, b, END, compareParts),
};
