/** A shorter text may be an ordinary word. */
const LEAST = 6;
const HIDDEN = '****';

/**
 * Removes secrets from the text of a target's answer: error pages repeat the path of the request, and the path of a URL can be its only secret.
 *
 * @param secrets URLs, of which path, query and the longer parts of both are hidden, and other texts, which are hidden whole
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
  return [secret, href, pathname + search, ...words, ...words.map(decoded)];
}

/** Text with its %-codes read; as it is where they are none. */
export function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}
