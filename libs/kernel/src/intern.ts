/**
 * Returns the copy of a text that V8 shares among equal property names, so that equal texts need memory only once.
 * V8 frees the copy when nothing refers to it.
 */
export function intern(text: string): string {
  const object = Object.create(null) as Record<string, null>;
  object[text] = null;
  return Object.keys(object)[0] ?? text;
}
