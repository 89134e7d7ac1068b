import { hkdfSync, timingSafeEqual } from 'node:crypto';

const BYTES = 32;
const PURPOSE = 'operations';

/** The token of operators. HKDF-SHA256 derives it from the installation's secret for this purpose only, so it gives no other access. */
export function operationsToken(secret: string): string {
  return Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, BYTES)).toString('hex');
}

/** Whether the Authorization header has the token. It compares in constant time. */
export function carriesToken(authorization: string | undefined, token: string): boolean {
  const [, input = ''] = /^bearer +([0-9a-f]+)$/i.exec(authorization ?? '') ?? [];
  const [expected, actual] = [Buffer.from(token), Buffer.from(input)];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
