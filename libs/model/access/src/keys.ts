import type { ApiKey, CollectionShape } from '@assurance/contracts-events';

/** Who an API key speaks for. The document's id is the SHA-256 of the key. */
export interface KeyDocument {
  readonly id: string;
  readonly principal: string;
  readonly kind: 'user' | 'service-account';
  /** The principal's name. */
  readonly name: string;
  /** The only organization it opens (service accounts); null for a user, whose memberships decide. */
  readonly org: string | null;
  /** Epoch seconds; 0 means never. */
  readonly expiresAt: number;
}

export const apiKeys: CollectionShape<KeyDocument> = { name: 'api_keys', indexes: [] };

/** The document that lets the gateway find a key's owner by hash. */
export function keyDocument(
  owner: Pick<KeyDocument, 'principal' | 'kind' | 'name' | 'org'>,
  { id, hash, expiresAt }: ApiKey,
) {
  return { collection: apiKeys, id: hash, doc: { ...owner, id, expiresAt } };
}
