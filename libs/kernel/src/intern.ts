/**
 * The copy of a text that V8 keeps of names of properties: equal texts that are held for long then need memory once. V8 drops it when nothing holds it.
 */
export function intern(text: string): string {
  const named = Object.create(null) as Record<string, null>;
  named[text] = null;
  return Object.keys(named)[0] ?? text;
}
