/** Longer texts are cut before the comparison (characters). */
const LONG = 100;

/**
 * The name that is most like a text that was probably mistyped; null if `names` is empty. A name that contains the text,
 * or is contained in it, is nearer than a name with other letters. Case and punctuation are ignored.
 */
export function nearestName(text: string, names: readonly string[]): string | null {
  const normalizedText = letters(text.slice(0, LONG));
  let nearest: string | null = null;
  let least = Infinity;
  for (const name of names) {
    const distance = distanceOf(normalizedText, letters(name));
    if (distance >= least) continue;
    nearest = name;
    least = distance;
  }
  return nearest;
}

function letters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function distanceOf(a: string, b: string): number {
  const isPart = a !== '' && b !== '' && (a.includes(b) || b.includes(a));
  // Usually below 1, so that it is nearer than a name with one other letter.
  return isPart ? Math.abs(a.length - b.length) / (LONG + 1) : 1 + editsBetween(a, b);
}

/** How many letters must be added, removed or replaced to turn one text into the other (Levenshtein). */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
