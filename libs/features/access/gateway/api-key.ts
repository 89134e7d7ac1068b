/** The characters of Basic credentials: base64 with padding (RFC 4648, section 4). */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * The API key in a request's Authorization headers (specification 5): a bearer token, or the user name of basic credentials. It ignores the password
 * and the case of the scheme. Basic credentials must have a colon, and are split at the first one.
 *
 * @param headers each Authorization header, unchanged
 * @returns null if there is no header or more than one, another scheme, bad base64, no colon or an empty key
 */
export function apiKeyOf(headers: readonly string[]): string | null {
  const [header, second] = headers;
  if (header === undefined || second !== undefined) return null;
  const [, scheme, credentials] = /^([A-Za-z]+) +([^\s]+)$/.exec(header) ?? [];
  if (scheme === undefined || credentials === undefined) return null;
  switch (scheme.toLowerCase()) {
    case 'bearer':
      return credentials;
    case 'basic':
      return userNameOf(credentials);
    default:
      return null;
  }
}

function userNameOf(credentials: string): string | null {
  if (!BASE64.test(credentials)) return null;
  const text = Buffer.from(credentials, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon <= 0 ? null : text.slice(0, colon);
}
