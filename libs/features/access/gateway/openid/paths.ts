/** The path where sign-in at the provider begins, below the public URL. */
export const OPENID_PATH = '/api/v2/sign-in/openid';
/** The path to which the provider sends the browser back, below the public URL. */
export const CALLBACK_PATH = `${OPENID_PATH}/callback`;

const LONGEST = 1_500;
/** A base URL that no address of this service has. */
const HERE = 'http://here.invalid';

/**
 * A page of the service, as path and query below the public URL. After sign-in, the browser returns only to such a page.
 *
 * @param input the requested page; undefined: the first page
 * @returns null if the address is not a page of the service
 */
export function returnPathOf(input: unknown): string | null {
  if (input === undefined) return '/';

  if (typeof input !== 'string' || input.length > LONGEST || !/^\/[^\u0000-\u0020\\\u007f]*$/.test(input)) return null;
  const url = URL.canParse(input, HERE) ? new URL(input, HERE) : null;
  if (url === null || url.origin !== HERE || url.pathname.startsWith('//') || /^\/api(\/|$)/.test(url.pathname))
    return null;
  return `${url.pathname}${url.search}`;
}
