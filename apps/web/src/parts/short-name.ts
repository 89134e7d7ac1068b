/** How many digits of a digest or a commit a name shows. */
const DIGITS = 12;

const LONG_DIGITS = /[0-9a-f]{32,}/gi;
const DIGEST = /^(.*)@[A-Za-z0-9]+:([0-9A-Fa-f]{32,})$/s;

/**
 * The name of an artifact with its service and version. Long digits, such as a commit in a tag, are cut. A digest stands for the version where
 * the name has no tag, and is left out where it has one.
 */
export function shortName(name: string): string {
  const [, path = name, digest] = DIGEST.exec(name) ?? [];
  const hasTag = path.lastIndexOf(':') > path.lastIndexOf('/');
  const shown = digest === undefined || hasTag ? path : `${path}@${digest}`;
  return shown.replaceAll(LONG_DIGITS, (digits) => digits.slice(0, DIGITS));
}
