import { type ControlEvent, streams } from '@assurance/contracts-events';
import {
  type CreateControl as Given,
  type CreateControlRefusal,
  decideCreateControl,
} from '@assurance/ingestion-domain';
import { no, ok, type Result } from '@assurance/kernel';
import { control, type Control, type FeatureRefusal } from '@assurance/model';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { commandBy } from '../commands';
import { by } from '../core/caller';
import { Register } from '../core/register';
import { OrganizationLimits } from '../core/organization-limits';
import { Streams } from '../core/streams';

/** Creates a control. */
export class CreateControl extends commandBy<{ given: Given }>() {}

@CommandHandler(CreateControl)
export class CreateControlHandler implements ICommandHandler<CreateControl> {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
    private readonly limits: OrganizationLimits,
  ) {}

  async execute({ caller, given }: CreateControl): Promise<Result<null, FeatureRefusal>> {
    const { org } = caller;
    const fresh = this.streams.sources.id();
    const id = await this.register.claim(org.id, 'control', given.identifier, fresh, by(caller));
    const ended = await this.streams.run<Control, ControlEvent, CreateControlRefusal>(
      control,
      streams.control(id),
      by(caller),
      async ({ state }) => {
        if (state === null) await this.limits.checkOneMore(org.id, 'controls');
        return decideCreateControl(state, given, { id });
      },
    );
    return ended.kind === 'refused' ? no({ ...ended.refusal, org: org.name }) : ok(null);
  }
}
