import type { ServiceAccountEvent } from '@assurance/contracts/access/events';
import { streams } from '@assurance/contracts/events/streams';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { commitAuthorOf } from '@assurance/http/command-caller';
import { commandBy } from '@assurance/http/commands';
import { type Decision, err, ok } from '@assurance/kernel';
import { CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import {
  type AccountRefusal,
  type CreateServiceAccount,
  decideCreateServiceAccount,
  decideDeleteServiceAccount,
  decidePatchServiceAccount,
  type PatchServiceAccount,
} from '../domain/change-service-account';
import type { Manager } from '../domain/manager';
import { organization } from '../domain/organization';
import { serviceAccount, type ServiceAccount } from '../domain/service-account';
import { StreamsByName } from './register';

export type AccountChange =
  | { readonly kind: 'create'; readonly settings: Omit<CreateServiceAccount, 'name'> }
  | { readonly kind: 'patch'; readonly settings: PatchServiceAccount }
  | { readonly kind: 'delete' };

/** Creates, changes or deletes the service account of this name. */
export class ChangeServiceAccount extends commandBy<
  { manager: Manager; name: string; change: AccountChange },
  ServiceAccount
>() {}

@CommandHandler(ChangeServiceAccount)
export class ChangeServiceAccountHandler extends StreamsByName implements ICommandHandler<ChangeServiceAccount> {
  async execute({ caller, manager, name, change }: ChangeServiceAccount): Promise<CommandResult<ChangeServiceAccount>> {
    const { org } = caller;
    if (change.kind === 'create') {
      const place = await this.streams.states(organization).get(streams.organization(org.id));
      if (place?.personal === true) return err({ kind: 'organization-personal' });
    }
    const newAccount = { id: this.streams.sources.id() };
    const id =
      change.kind === 'create'
        ? await this.register.claimAnyCase(org.id, 'service-account', name, newAccount, commitAuthorOf(caller))
        : await this.register.find(org.id, 'service-account', name);
    if (id === null) return err(refusalOf(change.kind === 'create' ? 'exists' : 'unknown', name));
    const outcome = await this.streams.run(
      serviceAccount,
      streams.serviceAccount(id),
      commitAuthorOf(caller),
      ({ state }) => decide(state, { id, name, manager }, change),
    );
    if (outcome.kind === 'refused') return err(refusalOf(outcome.refusal, name));
    if (outcome.state === null) throw new Error('a command on a service account was accepted, and there is none');
    return ok(outcome.state);
  }
}

function decide(
  state: ServiceAccount | null,
  { id, name, manager }: { readonly id: string; readonly name: string; readonly manager: Manager },
  change: AccountChange,
): Decision<ServiceAccountEvent, AccountRefusal> {
  switch (change.kind) {
    case 'create':
      return decideCreateServiceAccount(state, { ...change.settings, name }, { id, by: manager });
    case 'patch':
      return decidePatchServiceAccount(state, change.settings, { by: manager });
    case 'delete':
      return decideDeleteServiceAccount(state, {}, { by: manager });
  }
}

/** The refusal to change the service account of a name. */
export function refusalOf(refusal: AccountRefusal, name: string): FeatureRefusal {
  switch (refusal) {
    case 'forbidden':
      return { kind: 'forbidden' };
    case 'unknown':
      return { kind: 'service-account-unknown' };
    case 'exists':
      return {
        kind: 'invalid',
        errors: { name: `There is a service account of this name already, in these or other letters [input: ${name}]` },
      };
  }
}
