import type { ExternalIdentityLinked } from '@assurance/contracts-events';
import { accepted, type Decision, nothing } from '@assurance/kernel';
import type { ExternalIdentity } from '@assurance/model';

/**
 * Makes a user of somebody who signs in at a provider for the first time. Later, the identity stays that user, whatever the provider says of name
 * and address.
 *
 * @param facts.user id of the new user, who holds the name already
 */
export function decideLinkIdentity(
  state: ExternalIdentity | null,
  said: Pick<ExternalIdentity, 'issuer' | 'subject' | 'email'>,
  { user, userName }: Pick<ExternalIdentity, 'user' | 'userName'>,
): Decision<ExternalIdentityLinked, never> {
  if (state !== null) return nothing;
  return accepted({ type: 'ExternalIdentityLinked', version: 1, data: { ...said, user, userName } });
}

/** The most characters of a user's name that is made here. */
const NAME_MAX = 60;

/**
 * The names to try for a new user, in order. They are made of the name from the provider, reduced to the characters that names allow.
 *
 * @param said a user name or an address; anything else is fine
 * @param id of the user; it makes the last name unique
 */
export function* namesFor(said: string, id: string): Iterable<string> {
  const plain = said
    .replace(/@.*$/s, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-zA-Z0-9._-]+/g, '-')
    .replace(/^[^a-zA-Z0-9]+|[^a-zA-Z0-9]+$/g, '')
    .slice(0, NAME_MAX);
  const name = plain === '' ? 'user' : plain;
  yield name;
  for (let i = 2; i <= 9; i += 1) yield `${name}-${i}`;
  yield `${name}-${id.replace(/-/g, '')}`;
}
