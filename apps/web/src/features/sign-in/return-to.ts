/** Where to go after signing in: a page of ours alone, whatever the address says. */
export function returnTo(requested: string | null): string {
  if (requested === null || !requested.startsWith('/')) return '/';
  const url = new URL(requested, 'http://here.invalid');
  return url.host === 'here.invalid' && !url.pathname.startsWith('//') ? url.pathname + url.search : '/';
}
