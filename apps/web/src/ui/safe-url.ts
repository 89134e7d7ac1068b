/** An address that is safe to open, or null. Only http and https are safe, because other addresses may contain scripts. */
export function safeUrl(text: string): string | null {
  try {
    const url = new URL(text);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
  } catch {
    return null;
  }
}
