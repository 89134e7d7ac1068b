/** Where to go after signing in. It is always a page of this service, whatever the address says. */
export function returnTo(requested: string | null): string {
  if (requested === null || !requested.startsWith('/')) return '/';
  const url = new URL(requested, 'http://here.invalid');
  return url.host === 'here.invalid' && !url.pathname.startsWith('//') ? url.pathname + url.search : '/';
}
