/** Where to go after signing in: a page of ours alone, whatever the address says. */
export function returnTo(asked: string | null): string {
  if (asked === null || !asked.startsWith('/')) return '/';
  const url = new URL(asked, 'http://here.invalid');
  return url.host === 'here.invalid' && !url.pathname.startsWith('//') ? url.pathname + url.search : '/';
}
