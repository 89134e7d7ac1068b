import { type ChangeTags, decideTagControl } from '@assurance/access/domain/naming/tags';
import { OrganizationLimits } from '@assurance/access/write/organization-limits';
import { Register, StreamsByName } from '@assurance/access/write/register';
import { streams } from '@assurance/contracts/events/streams';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import type { Control } from '@assurance/contracts/policies/documents';
import type { ControlEvent, ControlSettings } from '@assurance/contracts/policies/events';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { commitAuthorOf } from '@assurance/http/command-caller';
import { commandBy } from '@assurance/http/commands';
import { type Decision, err, ok, refused, type Result } from '@assurance/kernel';
import { Injectable } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { decideArchiveControl, decideUnarchiveControl, decideUpdateControl } from '../domain/change-control';
import { control } from '../domain/control';
import { type CreateControl as Given, decideCreateControl } from '../domain/create-control';

/** The controls of organizations, for commands that refer to one by its identifier. */
@Injectable()
export class Controls extends StreamsByName {
  /** The current state of a control, archived or not; null if the identifier is unknown. */
  async find(org: string, identifier: string): Promise<Control | null> {
    const id = await this.register.find(org, 'control', identifier);
    return id === null ? null : (await this.streams.load(control, streams.control(id))).state;
  }

  /** The current version of a control; null if the identifier is unknown. A decision may name an unknown identifier. */
  async versionOf(org: string, identifier: string): Promise<number | null> {
    return (await this.find(org, identifier))?.version ?? null;
  }
}

/** Creates a control. */
export class CreateControl extends commandBy<{ input: Given }, Control>() {}

@CommandHandler(CreateControl)
export class CreateControlHandler implements ICommandHandler<CreateControl> {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
    private readonly limits: OrganizationLimits,
  ) {}

  async execute({ caller, input }: CreateControl): Promise<Result<Control, FeatureRefusal>> {
    const { org } = caller;
    const newId = this.streams.sources.id();
    const id = await this.register.claim(org.id, 'control', input.identifier, newId, commitAuthorOf(caller));
    const outcome = await this.streams.run(control, streams.control(id), commitAuthorOf(caller), async ({ state }) => {
      if (state === null) await this.limits.checkOneMore(org.id, 'controls');
      return decideCreateControl(state, input, { id });
    });
    return outcome.kind === 'refused' ? err({ ...outcome.refusal, org: org.name }) : ok(stateOf(outcome.state));
  }
}

/** A change of an existing control. */
export type ControlChange =
  | { readonly kind: 'update'; readonly settings: Partial<ControlSettings> }
  | { readonly kind: 'archive' }
  | { readonly kind: 'unarchive' }
  | { readonly kind: 'tag'; readonly tags: ChangeTags };

/** Changes the control of this identifier. */
export class ChangeControl extends commandBy<{ identifier: string; change: ControlChange }, Control>() {}

@CommandHandler(ChangeControl)
export class ChangeControlHandler extends StreamsByName implements ICommandHandler<ChangeControl> {
  async execute({ caller, identifier, change }: ChangeControl): Promise<Result<Control, FeatureRefusal>> {
    const unknownControl = { kind: 'control-unknown', org: caller.org.name, identifier } as const;
    const id = await this.register.find(caller.org.id, 'control', identifier);
    if (id === null) return err(unknownControl);
    const outcome = await this.streams.run(control, streams.control(id), commitAuthorOf(caller), ({ state }) =>
      state === null ? refused(unknownControl) : decide(state, change),
    );
    return outcome.kind === 'refused' ? err(outcome.refusal) : ok(stateOf(outcome.state));
  }
}

/** The state after an accepted command. */
function stateOf(state: Control | null): Control {
  if (state === null) throw new Error('a command on a control was accepted, and there is none');
  return state;
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
