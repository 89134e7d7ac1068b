import { type CollectionShape, index } from '@assurance/contracts/events/aggregate';
import type { SecretRef } from '@assurance/contracts/notifications/events';

/** A text that is encrypted in the store. Events refer to it by the document's id. */
export interface SecretDocument {
  readonly id: string;
  readonly org: string;
  /** The text, encrypted by the installation's box for the document's id. */
  readonly sealed: string;
}

export const secrets: CollectionShape<SecretDocument> = {
  name: 'secrets',
  indexes: [index('by_id', 'id')],
};

const MASK = '****';

/** The form in which a secret is shown. */
export function mask({ last4 }: SecretRef): string {
  return MASK + last4;
}
