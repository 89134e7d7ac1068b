import { echo, type FieldErrors } from '@assurance/contracts-http';

/** A share of what may be under way at once, of whoever has all of it. */
export interface TakenShare {
  readonly whose: 'caller' | 'organization';
  readonly of: 'requests' | 'bytes';
  readonly limit: number;
}

export function shareTaken({ whose, of, limit }: TakenShare): string {
  const what = of === 'requests' ? 'Requests' : 'The bodies';
  const most = of === 'requests' ? `are more than the ${limit} that` : `have more than the ${limit} bytes that`;
  return `${what} of this ${whose} that are under way ${most} it may have at once. Try again in a moment`;
}

export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

export function ambiguous(name: string, providers: readonly (string | null)[]): string {
  const distinct = [...new Set(providers.map((provider) => provider ?? 'none'))].sort().join(', ');
  return `Multiple repos named '${echo(name)}' exist (${distinct}). Specify the 'provider' query parameter to choose one`;
}

/** What is wrong with a trail's template, one line a place: clients look for the plural, whatever the number. */
export function templateProblems(errors: FieldErrors): string {
  const lines = Object.entries(errors).map(([path, text]) => (path === '' ? text : `${echo(path)}: ${text}`));
  return [`${lines.length} validation errors for Template`, ...lines].join('\n');
}

/** 503, which clients try again. */
export function later(seconds: number, why: string) {
  return {
    status: 503,
    body: { message: `${why} Try again in a moment` },
    headers: { 'retry-after': String(seconds) },
  };
}
