import type {
  Role,
  ServiceAccountCreated,
  ServiceAccountDeleted,
  ServiceAccountDescribed,
  ServiceAccountPrivilegeChanged,
} from '@assurance/contracts/access/events';
import { accepted, type Decision, noChange, refused } from '@assurance/kernel';
import { type Manager, canSee, includesRole } from './manager';
import type { ServiceAccount } from './service-account';

export type AccountRefusal = 'unknown' | 'exists' | 'forbidden';

/** Whether a principal may change a service account and its keys: it needs at least the privilege of the account. */
function mayManage(account: Pick<ServiceAccount, 'createdBy' | 'privilege'>, manager: Manager): boolean {
  return canSee(account, manager) && includesRole(manager.role, account.privilege);
}

export interface CreateServiceAccount {
  readonly name: string;
  readonly displayName?: string;
  readonly description: string;
  readonly privilege: Role;
}

/** Creates a service account. A principal can grant at most its own role. */
export function decideCreateServiceAccount(
  state: ServiceAccount | null,
  command: CreateServiceAccount,
  { id, by }: { readonly id: string; readonly by: Manager },
): Decision<ServiceAccountCreated, AccountRefusal> {
  if (!includesRole(by.role, command.privilege)) return refused('forbidden');
  if (state !== null && !state.deleted) return refused('exists');
  return accepted({ type: 'ServiceAccountCreated', version: 1, data: { id, ...command } });
}

export interface PatchServiceAccount {
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  readonly privilege?: Role | undefined;
}

/** Changes the given fields of a service account. */
export function decidePatchServiceAccount(
  state: ServiceAccount | null,
  { displayName, description, privilege }: PatchServiceAccount,
  { by }: { readonly by: Manager },
): Decision<ServiceAccountDescribed | ServiceAccountPrivilegeChanged, AccountRefusal> {
  const problem = problemOf(state, by);
  if (state === null || problem !== null) return refused(problem ?? 'unknown');
  if (privilege !== undefined && !includesRole(by.role, privilege)) return refused('forbidden');
  const events: (ServiceAccountDescribed | ServiceAccountPrivilegeChanged)[] = [];
  const changedTexts = {
    ...(description === undefined || description === state.description ? {} : { description }),
    ...(displayName === undefined || displayName === state.displayName ? {} : { displayName }),
  };
  if (Object.keys(changedTexts).length > 0) {
    events.push({ type: 'ServiceAccountDescribed', version: 1, data: changedTexts });
  }
  if (privilege !== undefined && privilege !== state.privilege) {
    const data = { privilege, previousPrivilege: state.privilege };
    events.push({ type: 'ServiceAccountPrivilegeChanged', version: 1, data });
  }
  const [first, ...rest] = events;
  return first === undefined ? noChange : accepted(first, ...rest);
}

/** Deletes a service account with its keys. */
export function decideDeleteServiceAccount(
  state: ServiceAccount | null,
  _command: object,
  { by }: { readonly by: Manager },
): Decision<ServiceAccountDeleted, AccountRefusal> {
  const problem = problemOf(state, by);
  if (problem !== null) return refused(problem);
  return accepted({ type: 'ServiceAccountDeleted', version: 1, data: {} });
}

/** The reason why a principal may not change a service account. The answer is the same whether or not the principal may see the account. */
export function problemOf(state: ServiceAccount | null, by: Manager): AccountRefusal | null {
  if (state === null || state.deleted) return 'unknown';
  return mayManage(state, by) ? null : 'forbidden';
}
