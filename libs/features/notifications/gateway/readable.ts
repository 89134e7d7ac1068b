import { canSee } from '@assurance/access/domain/manager';
import { serviceAccount } from '@assurance/access/domain/service-account';
import { kindOf } from '@assurance/contracts/events/streams';
import { may, type Permission } from '@assurance/contracts/http/roles';
import type { Principal } from '@assurance/http';
import type { Documents } from '@assurance/storage-ports';

/**
 * The permission of the routes that read streams of a kind. Null: no route of an organization reads them, so callers get no changes of them. The data
 * of such a stream also shows in another stream, such as a name in its aggregate, and an administrator in a membership.
 */
export const READ_BY: Readonly<Record<string, Permission | null>> = {
  organization: 'read',
  membership: 'read',
  invitation: 'organization.read',
  'service-account': 'service-accounts.read',
  environment: 'read',
  flow: 'read',
  trail: 'read',
  artifact: 'read',
  'attestation-type': 'read',
  control: 'read',
  policy: 'read',
  repo: 'read',
  retention: 'organization.read',
  spaces: 'read',
  notification: 'read',
  'target-config': 'read',
  vulnerabilities: 'read',
  administrators: null,
  checkpoint: null,
  declaration: null,
  exposure: null,
  'external-identity': null,
  name: null,
  'notification-numbers': null,
  user: null,
};

/** The streams that a caller may see, because the caller may call the routes that read them. */
export async function readableStreams(
  streams: readonly string[],
  principal: Principal,
  documents: Pick<Documents, 'collection'>,
): Promise<string[]> {
  const seen = await Promise.all(
    streams.map(async (stream) => {
      const kind = kindOf(stream);
      const permission = READ_BY[kind] ?? null;
      if (permission === null || !may(principal.role, permission)) return false;
      if (kind !== 'service-account') return true;
      const account = await documents.collection(serviceAccount.states).get(stream);
      return account !== null && canSee(account, principal);
    }),
  );
  return streams.filter((_, i) => seen[i]);
}
