import { NO_ORGANIZATION, streams } from '@assurance/contracts/events/streams';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { type Settings, SETTINGS } from '@assurance/event-sourcing/tokens';
import { commandBy } from '@assurance/http/commands';
import { err, ok, type Result } from '@assurance/kernel';
import { Inject, Injectable } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { decideDeclareOrganization } from '../domain/declare';
import { organization } from '../domain/organization';
import { user } from '../domain/user';
import { FollowUpCommits } from './joining';
import { Register } from './register';

/** Creates a shared organization. The caller, a user, becomes its administrator. */
export class CreateOrganization extends commandBy<{ name: string }, 'made' | 'kept'>() {}

/** Creates organizations for users. Operators use it too. */
@Injectable()
export class Organizations {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
    private readonly followUpCommits: FollowUpCommits,
  ) {}

  /**
   * @param limit how many organizations a user may create. Concurrent requests may exceed this by a few
   * @param by.actor id of the principal that creates it
   */
  async create(
    name: string,
    founder: { readonly user: string; readonly userName: string },
    limit: number,
    by: { readonly actor: string; readonly correlation: string },
  ): Promise<Result<'made' | 'kept', FeatureRefusal>> {
    const refusal = err({ kind: 'invalid', errors: { name: `This name is taken [input: ${name}]` } } as const);
    const aggregateStates = this.streams.states(organization);
    const full = (await aggregateStates.count({ madeBy: founder.user })) >= limit;
    const existingId = await this.register.find(NO_ORGANIZATION, 'account', name);
    const place = existingId === null ? null : await aggregateStates.get(streams.organization(existingId));
    if (place !== null) return place.madeBy === founder.user ? ok('kept') : refusal;
    if (full) return err({ kind: 'too-many-organizations', limit });
    const globalAuthor = { ...by, org: NO_ORGANIZATION };
    const newOrganization = { id: this.streams.sources.id() };
    const id = await this.register.claimAnyCase(NO_ORGANIZATION, 'account', name, newOrganization, globalAuthor);
    if (id === null || (await this.streams.load(user, streams.user(id))).state !== null) return refusal;
    const organizationAuthor = { ...by, org: id };
    const outcome = await this.streams.run(organization, streams.organization(id), organizationAuthor, ({ state }) =>
      decideDeclareOrganization(state, { name, personal: false, madeBy: founder }, { id }),
    );
    if (outcome.kind === 'nothing') return outcome.state?.madeBy === founder.user ? ok('kept') : refusal;
    await this.followUpCommits.addFounder(id, founder, organizationAuthor);
    return ok('made');
  }
}

@CommandHandler(CreateOrganization)
export class CreateOrganizationHandler implements ICommandHandler<CreateOrganization> {
  constructor(
    private readonly streams: Streams,
    private readonly organizations: Organizations,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ caller, name }: CreateOrganization): Promise<Result<'made' | 'kept', FeatureRefusal>> {
    const { actor, correlation } = caller;
    const { state } = await this.streams.load(user, streams.user(actor));
    const { by, perUser } = this.settings.organizations;
    if (state === null || state.removed === true || by !== 'users') return err({ kind: 'forbidden' });
    const founder = { user: state.id, userName: state.name };
    return this.organizations.create(name, founder, perUser, { actor, correlation });
  }
}
