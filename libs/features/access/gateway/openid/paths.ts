/** Where signing in at the provider begins, below the public URL. */
export const OPENID_PATH = '/api/v2/sign-in/openid';
/** Where the provider sends the browser back to, below the public URL. */
export const CALLBACK_PATH = `${OPENID_PATH}/callback`;

const LONGEST = 1_500;
/** A base that no address of ours has. */
const HERE = 'http://here.invalid';

/**
 * A page of the service, as path and query below the public URL: nothing else is gone back to after signing in.
 *
 * @param given what the address asks for; undefined: the first page
 * @returns null if the address is no page of the service
 */
export function returnPath(given: unknown): string | null {
  if (given === undefined) return '/';

  if (typeof given !== 'string' || given.length > LONGEST || !/^\/[^\u0000-\u0020\\\u007f]*$/.test(given)) return null;
  const url = URL.canParse(given, HERE) ? new URL(given, HERE) : null;
  if (url === null || url.origin !== HERE || url.pathname.startsWith('//') || /^\/api(\/|$)/.test(url.pathname))
    return null;
  return `${url.pathname}${url.search}`;
}
