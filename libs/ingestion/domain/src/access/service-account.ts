import {
  type Role,
  type ServiceAccountCreated,
  type ServiceAccountDeleted,
  type ServiceAccountDescribed,
  type ServiceAccountPrivilegeChanged,
} from '@assurance/contracts-events';
import { accepted, type Decision, nothing, refused } from '@assurance/kernel';
import { type Manager, maySee, reaches, type ServiceAccount } from '@assurance/model';

export type AccountRefusal = 'unknown' | 'exists' | 'forbidden';

/** Whether somebody may change it and its keys: who could use a key of it must have its privilege already. */
export function mayManage(account: Pick<ServiceAccount, 'createdBy' | 'privilege'>, manager: Manager): boolean {
  return maySee(account, manager) && reaches(manager.role, account.privilege);
}

export interface CreateServiceAccount {
  readonly name: string;
  readonly displayName?: string;
  readonly description: string;
  readonly privilege: Role;
}

/** Creates a service account; nobody grants more than their own role. */
export function decideCreateServiceAccount(
  state: ServiceAccount | null,
  command: CreateServiceAccount,
  { id, by }: { readonly id: string; readonly by: Manager },
): Decision<ServiceAccountCreated, AccountRefusal> {
  if (!reaches(by.role, command.privilege)) return refused('forbidden');
  if (state !== null && !state.deleted) return refused('exists');
  return accepted({ type: 'ServiceAccountCreated', version: 1, data: { id, ...command } });
}

export interface PatchServiceAccount {
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  readonly privilege?: Role | undefined;
}

/** Changes what is given of a service account, and nothing else. */
export function decidePatchServiceAccount(
  state: ServiceAccount | null,
  { displayName, description, privilege }: PatchServiceAccount,
  { by }: { readonly by: Manager },
): Decision<ServiceAccountDescribed | ServiceAccountPrivilegeChanged, AccountRefusal> {
  const problem = problemOf(state, by);
  if (state === null || problem !== null) return refused(problem ?? 'unknown');
  if (privilege !== undefined && !reaches(by.role, privilege)) return refused('forbidden');
  const events: (ServiceAccountDescribed | ServiceAccountPrivilegeChanged)[] = [];
  const described = {
    ...(description === undefined || description === state.description ? {} : { description }),
    ...(displayName === undefined || displayName === state.displayName ? {} : { displayName }),
  };
  if (Object.keys(described).length > 0) {
    events.push({ type: 'ServiceAccountDescribed', version: 1, data: described });
  }
  if (privilege !== undefined && privilege !== state.privilege) {
    const data = { privilege, previousPrivilege: state.privilege };
    events.push({ type: 'ServiceAccountPrivilegeChanged', version: 1, data });
  }
  const [first, ...rest] = events;
  return first === undefined ? nothing : accepted(first, ...rest);
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

/** Why somebody may not change a service account: one that they may not see is refused like one that they may not change. */
export function problemOf(state: ServiceAccount | null, by: Manager): AccountRefusal | null {
  if (state === null || state.deleted) return 'unknown';
  return mayManage(state, by) ? null : 'forbidden';
}
