/** Where to go after signing in. It is always a page of this service, whatever the address says. */
export function returnTo(requestedAddress: string | null): string {
  if (requestedAddress === null || !requestedAddress.startsWith('/')) return '/';
  const url = new URL(requestedAddress, 'http://here.invalid');
  return url.host === 'here.invalid' && !url.pathname.startsWith('//') ? url.pathname + url.search : '/';
}
