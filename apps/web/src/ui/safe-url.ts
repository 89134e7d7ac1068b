/** The address where a browser may be sent, or null: of http and https alone, so that no script hides in it. */
export function safeUrl(text: string): string | null {
  try {
    const url = new URL(text);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
  } catch {
    return null;
  }
}
