const ESCAPE = '\u001b';

/**
 * A name as SQLite can hold it, byte for byte: the driver cuts texts at U+0000 and cannot write lone surrogates, so names with these
 * (and those that look escaped) are stored as JSON.
 */
export function toKey(name: string): string {
  const plain = name.isWellFormed() && !name.includes('\u0000') && !name.startsWith(ESCAPE);
  return plain ? name : ESCAPE + JSON.stringify(name);
}

/** The name that `toKey` stored. */
export function fromKey(key: string): string {
  return key.startsWith(ESCAPE) ? (JSON.parse(key.slice(1)) as string) : key;
}
