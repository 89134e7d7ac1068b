import { compareDigits } from './order';
import type { VersionRules } from './rules';

/** Characters of versions (Debian policy, section 5.6.12). */
const VERSION = /^[A-Za-z0-9.+~:-]+$/;

interface Version {
  readonly epoch: string;
  readonly upstream: string;
  readonly revision: string;
}

function versionOf(text: string): Version | null {
  if (!VERSION.test(text)) return null;
  const colon = text.indexOf(':');
  const epoch = text.slice(0, Math.max(colon, 0));
  const rest = text.slice(colon + 1);
  const hyphen = rest.lastIndexOf('-');
  const upstream = hyphen < 0 ? rest : rest.slice(0, hyphen);
  const revision = hyphen < 0 ? '' : rest.slice(hyphen + 1);
  if (!/^[0-9]*$/.test(epoch) || (colon === 0 && epoch === '') || upstream === '') return null;
  return revision.includes(':') || (hyphen >= 0 && revision === '') ? null : { epoch, upstream, revision };
}

/** Texts and numbers in turn, beginning with a text, which may be empty. */
const PAIR = /([^0-9]*)([0-9]*)/y;

/** A tilde comes before the end, which comes before letters, which come before all others. */
function weightOf(character: string | undefined): number {
  if (character === undefined) return 0;
  if (character === '~') return -1;
  return /[A-Za-z]/.test(character) ? character.charCodeAt(0) : character.charCodeAt(0) + 256;
}

function compareParts(a: string, b: string): number {
  let [inLeft, inRight] = [0, 0];
  while (inLeft < a.length || inRight < b.length) {
    const [left, right] = [pairAt(a, inLeft), pairAt(b, inRight)];
    for (let at = 0; at < Math.max(left.text.length, right.text.length); at++) {
      const order = weightOf(left.text[at]) - weightOf(right.text[at]);
      if (order !== 0) return Math.sign(order);
    }
    const order = compareDigits(left.digits, right.digits);
    if (order !== 0) return order;
    inLeft = left.end;
    inRight = right.end;
  }
  return 0;
}

function pairAt(text: string, index: number) {
  PAIR.lastIndex = index;
  const [, before = '', digits = ''] = PAIR.exec(text) ?? [];
  return { text: before, digits, end: index + before.length + digits.length };
}

/**
 * The order of Debian packages: epoch, upstream version, revision. A missing revision equals revision 0.
 *
 * @see https://www.debian.org/doc/debian-policy/ch-controlfields.html#version
 */
export const debian: VersionRules<Version> = { read: versionOf, compare };

function compare(left: Version, right: Version): number {
  return (
    compareDigits(left.epoch, right.epoch) ||
    compareParts(left.upstream, right.upstream) ||
    compareParts(left.revision, right.revision)
  );
}
