const SANE = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

/** The request's own id where it can safely stand in headers, logs and events; else a new one. */
export function correlationOf(given: string | readonly string[] | undefined, next: () => string): string {
  return typeof given === 'string' && SANE.test(given) ? given : next();
}
