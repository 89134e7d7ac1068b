import type { SecretRef } from '@assurance/contracts-events';

export const MASK = '****';

/** How a sealed text is shown. */
export function mask({ last4 }: SecretRef): string {
  return MASK + last4;
}
