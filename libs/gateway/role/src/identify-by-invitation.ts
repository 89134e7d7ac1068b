import { streams } from '@assurance/contracts-events';
import type { Clock, Identity } from '@assurance/http';
import { invitation, invitationTokens, opens, organization } from '@assurance/model';
import type { Documents } from '@assurance/storage-ports';

/**
 * Identifies a caller by the token of an invitation that may be accepted, or was just accepted. The token allows only the route by which
 * a person becomes a user.
 *
 * @param hash SHA-256 of the token
 */
export async function identifyByInvitation(
  documents: Documents,
  clock: Pick<Clock, 'now'>,
  hash: string,
): Promise<Identity | null> {
  const stream = (await documents.collection(invitationTokens).get(hash))?.stream;
  const open = stream === undefined ? null : await documents.collection(invitation.states).get(stream);
  if (open?.tokenHash !== hash || !opens(open, clock.now())) return null;
  const place = await documents.collection(organization.states).get(streams.organization(open.org));
  if (place === null) return null;
  return {
    org: { id: place.id, name: place.name },
    principal: { id: open.id, kind: 'invitation', name: open.email, role: open.role },
    key: hash,
  };
}
