import { NO_ORGANIZATION, streams } from '@assurance/contracts/events/streams';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { commandBy } from '@assurance/http/commands';
import { err, ok, refused, type Result } from '@assurance/kernel';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { decideChooseDefault } from '../domain/choose-default';
import { membership } from '../domain/membership';
import { user } from '../domain/user';
import { StreamsByName } from './register';

/** Chooses the caller's default organization. A service account can only choose the organization that it belongs to. */
export class ChooseDefault extends commandBy<{ kind: 'user' | 'service-account'; organization: string }>() {}

@CommandHandler(ChooseDefault)
export class ChooseDefaultHandler extends StreamsByName implements ICommandHandler<ChooseDefault> {
  async execute({ caller, kind, organization: name }: ChooseDefault): Promise<Result<null, FeatureRefusal>> {
    const deniedOrganization = { kind: 'organization-denied', name } as const;
    // A service account has only one organization, so nothing is stored.
    if (kind === 'service-account') return caller.org.name === name ? ok(null) : err(deniedOrganization);
    const { actor, correlation } = caller;
    const organization = await this.register.find(NO_ORGANIZATION, 'account', name);
    if (organization === null) return err(deniedOrganization);
    const by = { org: NO_ORGANIZATION, actor, correlation };
    const outcome = await this.streams.run(user, streams.user(actor), by, async ({ state }) => {
      const member = await this.streams.states(membership).get(streams.membership(organization, actor));
      return state === null
        ? refused('no-member')
        : decideChooseDefault(state, { organization }, { member: (member?.role ?? null) !== null });
    });
    return outcome.kind === 'refused' ? err(deniedOrganization) : ok(null);
  }
}
