import { decodePercent } from '@assurance/kernel';

/** The shortest text that is hidden (characters). A shorter text may be an ordinary word. */
const LEAST = 6;
const HIDDEN = '****';

/**
 * Removes secrets from the text of a target's answer. Error pages repeat the path of the request, and the path may be the secret of a URL.
 *
 * @param secrets URLs and other texts. Of a URL, the path, the query and their longer parts are hidden. Other texts are hidden completely
 */
export function hide(text: string, secrets: readonly string[]): string {
  const parts = [...new Set(secrets.flatMap(partsOf))].filter(({ length }) => length >= LEAST);
  const longestFirst = parts.sort((a, b) => b.length - a.length);
  return longestFirst.reduce((left, part) => left.replaceAll(part, HIDDEN), text);
}

function partsOf(secret: string): string[] {
  if (!/^https?:/i.test(secret) || !URL.canParse(secret)) return [secret];
  const { href, pathname, search, hash } = new URL(secret);
  const words = `${pathname}${search}${hash}`.split(/[/?&=#;]+/);
  return [secret, href, pathname + search, ...words, ...words.map(decodePercent)];
}
