import { createHmac } from 'node:crypto';

/**
 * The value of `X-Assurance-Signature`: `t=<seconds>` and for each secret `v1=<hex>`, the HMAC-SHA256 of `<seconds>.<body>`. While a secret is being
 * replaced, there are two. A receiver accepts the message if one of them is right and the time is recent.
 *
 * @param now integer milliseconds
 */
export function signature(secrets: readonly string[], now: number, body: string): string {
  const seconds = Math.floor(now / 1000);
  const signatures = secrets.map((secret) => createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'));
  return [`t=${seconds}`, ...signatures.map((hex) => `v1=${hex}`)].join(',');
}
