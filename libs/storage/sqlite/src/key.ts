const ESCAPE = '\u001b';

/**
 * Converts a name so that SQLite can hold it byte for byte. The driver cuts texts at U+0000 and cannot write lone surrogates. Names with these, and
 * names that look escaped, are stored as JSON.
 */
export function toKey(name: string): string {
  const plain = name.isWellFormed() && !name.includes('\u0000') && !name.startsWith(ESCAPE);
  return plain ? name : ESCAPE + JSON.stringify(name);
}

/** The name from which `toKey` made a key. */
export function fromKey(key: string): string {
  return key.startsWith(ESCAPE) ? (JSON.parse(key.slice(1)) as string) : key;
}
