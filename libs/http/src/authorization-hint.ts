const FORM = "'Authorization: Bearer <key>'";

/**
 * What is wrong with the form of the Authorization headers of a refused request; null if the form is right or there is
 * no header. The text never contains the header's value, because that may be a key.
 *
 * @param headers each Authorization header as it came
 */
export function authorizationHint(headers: readonly string[]): string | null {
  const [header, second] = headers;
  if (header === undefined) return null;
  if (second !== undefined) return `Send one Authorization header, not several: ${FORM}`;
  const [first = '', ...rest] = header.trim().split(/\s+/);
  const credentials = rest.join(' ');
  switch (first.toLowerCase()) {
    case '':
      return `The header is empty. Send ${FORM}`;
    case 'bearer':
      return hintOfBearer(credentials);
    case 'basic':
      return isBasic(credentials) ? null : "Basic credentials are base64 of '<key>:', with a colon after the key";
    default:
      return credentials === ''
        ? `The scheme is missing. Send ${FORM}`
        : `The scheme should be Bearer or Basic. Send ${FORM}`;
  }
}

function hintOfBearer(credentials: string): string | null {
  if (credentials === '') return `The key is missing. Send ${FORM}`;
  if (/^bearer(\s|$)/i.test(credentials)) return `'Bearer' is there twice. Send ${FORM}`;
  if (/^(["'`<]).*|["'`>]$/.test(credentials)) return `The key should have no quotes around it. Send ${FORM}`;
  return /\s/.test(credentials) ? `The key should have no blank in it. Send ${FORM}` : null;
}

function isBasic(credentials: string): boolean {
  const text = Buffer.from(credentials, 'base64').toString('utf8');
  return /^[A-Za-z0-9+/]+={0,2}$/.test(credentials) && text.indexOf(':') > 0;
}
