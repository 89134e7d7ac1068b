import type { ApiKeyRotateInput } from '@assurance/contracts/access/bodies/access';
import { routes } from '@assurance/contracts/http/routes/routes';
import { answer, type Call, type CallOf, RequestCall, Route } from '@assurance/http';
import { callerOf } from '@assurance/http/command-caller';
import { CommandsController } from '@assurance/http/commands';
import { Controller } from '@nestjs/common';
import { accountAnswer } from '../lookups/service-accounts';
import { ChangeKeys, type FreshKey, type KeyChange, type KeyOwner } from './change-keys';
import { type AccountChange, ChangeServiceAccount } from './change-service-account';

const GRACE_HOURS = 24;

/** Service accounts and their keys (specification 4.6). */
@Controller()
export class ServiceAccountsController extends CommandsController {
  @Route(routes.createServiceAccount)
  async create(@RequestCall() call: CallOf<typeof routes.createServiceAccount>) {
    const { name, privilege, description, display_name } = call.body;
    const displayField = display_name == null ? {} : { displayName: display_name };
    const settings = { privilege: privilege ?? 'reader', description: description ?? '', ...displayField } as const;
    return answer(201, accountAnswer(await this.change(call, name, { kind: 'create', settings })));
  }

  @Route(routes.patchServiceAccount)
  async patch(@RequestCall() call: CallOf<typeof routes.patchServiceAccount>) {
    const { privilege, description, display_name } = call.body;
    const settings = {
      privilege: privilege ?? undefined,
      description: description ?? undefined,
      displayName: display_name ?? undefined,
    };
    return answer(200, accountAnswer(await this.change(call, call.params.name, { kind: 'patch', settings })));
  }

  @Route(routes.deleteServiceAccount)
  async delete(@RequestCall() call: CallOf<typeof routes.deleteServiceAccount>) {
    await this.change(call, call.params.name, { kind: 'delete' });
    return answer(200, 'OK');
  }

  @Route(routes.createServiceAccountKey)
  async createKey(@RequestCall() call: CallOf<typeof routes.createServiceAccountKey>) {
    const { description, expires_at } = call.body;
    const change = { kind: 'create', description, expiresAt: expires_at ?? 0 } as const;
    return answer(201, freshKey(await this.keys(call, ownerOf(call, call.params.name), change)));
  }

  @Route(routes.revokeServiceAccountKey)
  async revokeKey(@RequestCall() call: CallOf<typeof routes.revokeServiceAccountKey>) {
    await this.keys(call, ownerOf(call, call.params.name), { kind: 'revoke', id: call.params.id });
    return answer(200, 'revoked');
  }

  @Route(routes.rotateServiceAccountKey)
  async rotateKey(@RequestCall() call: CallOf<typeof routes.rotateServiceAccountKey>) {
    const change = rotation(call.params.id, call.body);
    return answer(201, rotatedKey(await this.keys(call, ownerOf(call, call.params.name), change)));
  }

  @Route(routes.createUserKey)
  async createOwnKey(@RequestCall() call: CallOf<typeof routes.createUserKey>) {
    const { description, expires_at } = call.body;
    const change = { kind: 'create', description, expiresAt: expires_at ?? 0 } as const;
    return answer(201, freshKey(await this.keys(call, { kind: 'self' }, change)));
  }

  @Route(routes.revokeUserKey)
  async revokeOwnKey(@RequestCall() call: CallOf<typeof routes.revokeUserKey>) {
    await this.keys(call, { kind: 'self' }, { kind: 'revoke', id: call.params.id });
    return answer(200, 'revoked');
  }

  @Route(routes.rotateUserKey)
  async rotateOwnKey(@RequestCall() call: CallOf<typeof routes.rotateUserKey>) {
    return answer(201, rotatedKey(await this.keys(call, { kind: 'self' }, rotation(call.params.id, call.body))));
  }

  private async change(call: Call, name: string, change: AccountChange) {
    return this.run(new ChangeServiceAccount({ caller: callerOf(call), manager: call.principal, name, change }));
  }

  private async keys(call: Call, owner: KeyOwner, change: KeyChange): Promise<FreshKey | null> {
    return this.run(new ChangeKeys({ caller: callerOf(call), owner, change }));
  }
}

function ownerOf({ principal }: Call, name: string): KeyOwner {
  return { kind: 'service-account', name, manager: principal };
}

function rotation(id: string, { grace_period_hours, expires_at }: ApiKeyRotateInput): KeyChange {
  return { kind: 'rotate', id, graceHours: grace_period_hours ?? GRACE_HOURS, expiresAt: expires_at ?? null };
}

function freshKey(created: FreshKey | null) {
  if (created === null) throw new Error('no key was made');
  const { id, key, description, createdAt, expiresAt } = created;
  return { id, key, description, created_at: createdAt / 1_000, expires_at: expiresAt };
}

function rotatedKey(key: FreshKey | null) {
  return { ...freshKey(key), grace_period_expires_at: key?.until ?? 0 };
}
