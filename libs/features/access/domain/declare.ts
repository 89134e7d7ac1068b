import type {
  ApiKey,
  ApiKeyAdded,
  MemberAdded,
  MemberRoleChanged,
  MembershipChange,
  OrganizationCreated,
  Role,
  ServiceAccountCreated,
  ServiceAccountPrivilegeChanged,
  UserCreated,
} from '@assurance/contracts/access/events';
import { accepted, type Decision, noChange } from '@assurance/kernel';
import type { Membership } from './membership';
import type { Organization } from './organization';
import type { ServiceAccount } from './service-account';
import type { User } from './user';

/** Creates an organization if it does not exist. */
export function decideDeclareOrganization(
  state: Organization | null,
  command: Omit<OrganizationCreated['data'], 'id'>,
  facts: { readonly id: string },
): Decision<OrganizationCreated, never> {
  if (state !== null) return noChange;
  return accepted({ type: 'OrganizationCreated', version: 1, data: { id: facts.id, ...command } });
}

/** Creates a user who does not exist or was removed. */
export function decideDeclareUser(
  state: User | null,
  command: { readonly name: string; readonly email: string },
  facts: { readonly id: string },
): Decision<UserCreated, never> {
  if (state !== null && state.removed !== true) return noChange;
  return accepted({ type: 'UserCreated', version: 1, data: { id: facts.id, ...command } });
}

/** Adds a key to a user or a service account that does not have it yet. */
export function decideAddKey(
  state: Pick<User | ServiceAccount, 'keys'>,
  key: Omit<ApiKey, 'id'>,
  facts: { readonly id: string },
): Decision<ApiKeyAdded, never> {
  if (state.keys.some(({ hash }) => hash === key.hash)) return noChange;
  return accepted({ type: 'ApiKeyAdded', version: 1, data: { id: facts.id, ...key } });
}

/** Makes a user a member of an organization in a role. */
export function decideSetMember(
  state: Membership | null,
  command: MembershipChange & {
    readonly role: Role;
    /** Id of the accepted invitation, if a member is added by one. */
    readonly invitation?: string;
  },
): Decision<MemberAdded | MemberRoleChanged, never> {
  if (state === null || state.role === null) return accepted({ type: 'MemberAdded', version: 1, data: command });
  if (state.role === command.role) return noChange;
  const { invitation: _, ...data } = command;
  return accepted({ type: 'MemberRoleChanged', version: 1, data: { ...data, previousRole: state.role } });
}

/** Creates a service account, or changes its privilege. */
export function decideDeclareServiceAccount(
  state: ServiceAccount | null,
  command: { readonly name: string; readonly privilege: Role; readonly description: string },
  facts: { readonly id: string },
): Decision<ServiceAccountCreated | ServiceAccountPrivilegeChanged, never> {
  if (state === null || state.deleted) {
    return accepted({ type: 'ServiceAccountCreated', version: 1, data: { id: facts.id, ...command } });
  }
  if (state.privilege === command.privilege) return noChange;
  const data = { privilege: command.privilege, previousPrivilege: state.privilege };
  return accepted({ type: 'ServiceAccountPrivilegeChanged', version: 1, data });
}
