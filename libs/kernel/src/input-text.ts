const ECHO_MAX = 100;

/** A value from a request as an error message shows it: a text as it is, other values as JSON, at most 100 characters. */
export function echo(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length <= ECHO_MAX ? text : [...text.slice(0, ECHO_MAX * 2)].slice(0, ECHO_MAX).join('');
}

/** The end of every message about a value. */
export function input(value: unknown): string {
  return `[input: ${echo(value)}]`;
}
