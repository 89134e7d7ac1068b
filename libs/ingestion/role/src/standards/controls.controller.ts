import { routes } from '@assurance/contracts-http';
import { type CallOf, Route, TheCall } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { CommandsController } from '../commands';
import { callerOf } from '../core/caller';
import { ChangeControl, CreateControl } from './controls';

@Controller()
export class ControlsController extends CommandsController {
  @Route(routes.postControl)
  async create(@TheCall() call: CallOf<typeof routes.postControl>) {
    const { identifier, name, description } = call.body;
    const given = { identifier, name, description: description ?? '' };
    return this.ok(new CreateControl({ caller: callerOf(call), given }), 201);
  }

  @Route(routes.putControl)
  async update(@TheCall() call: CallOf<typeof routes.putControl>) {
    const { name, description, links } = call.body;
    const settings = {
      ...(name == null ? {} : { name }),
      ...(description == null ? {} : { description }),
      ...(links == null ? {} : { links }),
    };
    const change = { kind: 'update', settings } as const;
    return this.ok(new ChangeControl({ caller: callerOf(call), identifier: call.params.control, change }));
  }

  @Route(routes.archiveControl)
  async archive(@TheCall() call: CallOf<typeof routes.archiveControl>) {
    return this.ok(
      new ChangeControl({ caller: callerOf(call), identifier: call.params.control, change: { kind: 'archive' } }),
    );
  }

  @Route(routes.unarchiveControl)
  async unarchive(@TheCall() call: CallOf<typeof routes.unarchiveControl>) {
    return this.ok(
      new ChangeControl({ caller: callerOf(call), identifier: call.params.control, change: { kind: 'unarchive' } }),
    );
  }
}
