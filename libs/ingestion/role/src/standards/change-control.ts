import { type ControlEvent, type ControlSettings, streams } from '@assurance/contracts-events';
import {
  type ChangeTags,
  decideArchiveControl,
  decideTagControl,
  decideUnarchiveControl,
  decideUpdateControl,
} from '@assurance/ingestion-domain';
import { type Decision, no, ok, refused, type Result } from '@assurance/kernel';
import { control, type Control, type FeatureRefusal } from '@assurance/model';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { commandBy } from '../commands';
import { by } from '../core/caller';
import { Register } from '../core/register';
import { Streams } from '../core/streams';

/** A change of an existing control. */
export type ControlChange =
  | { readonly kind: 'update'; readonly settings: Partial<ControlSettings> }
  | { readonly kind: 'archive' }
  | { readonly kind: 'unarchive' }
  | { readonly kind: 'tag'; readonly tags: ChangeTags };

/** Changes the control of this identifier. */
export class ChangeControl extends commandBy<{ identifier: string; change: ControlChange }>() {}

@CommandHandler(ChangeControl)
export class ChangeControlHandler implements ICommandHandler<ChangeControl> {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
  ) {}

  async execute({ caller, identifier, change }: ChangeControl): Promise<Result<null, FeatureRefusal>> {
    const unknown = { kind: 'control-unknown', org: caller.org.name, identifier } as const;
    const id = await this.register.find(caller.org.id, 'control', identifier);
    if (id === null) return no(unknown);
    const ended = await this.streams.run<Control, ControlEvent, FeatureRefusal>(
      control,
      streams.control(id),
      by(caller),
      ({ state }) => (state === null ? refused(unknown) : decide(state, change)),
    );
    return ended.kind === 'refused' ? no(ended.refusal) : ok(null);
  }
}

function decide(state: Control, change: ControlChange): Decision<ControlEvent, FeatureRefusal> {
  switch (change.kind) {
    case 'update':
      return decideUpdateControl(state, change.settings);
    case 'archive':
      return decideArchiveControl(state);
    case 'unarchive':
      return decideUnarchiveControl(state);
    case 'tag':
      return decideTagControl(state, change.tags);
  }
}
