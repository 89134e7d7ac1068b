/** The step between lengths of invented fingerprints and commits: a word of 32 bits has 8 hexadecimal digits. */
const WORD = 8;

/**
 * Hexadecimal digits that look like a digest of a text. The same text always gives the same digits. Browsers compute real digests only on localhost
 * and over HTTPS.
 *
 * @param length 40 for a commit, 64 for a fingerprint
 */
export function exampleHash(length: 40 | 64, text: string): string {
  let state = 0x811c9dc5;
  const mix = (value: number) => {
    state = Math.imul(state ^ value, 0x01000193);
    state ^= state >>> 15;
  };
  mix(length);
  for (const character of text) mix(character.codePointAt(0) ?? 0);
  return Array.from({ length: length / WORD }, (_, i) => {
    for (let round = 0; round < 4; round += 1) mix(i + 1);
    return (state >>> 0).toString(16).padStart(WORD, '0');
  }).join('');
}
