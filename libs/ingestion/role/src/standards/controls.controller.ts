import { routes } from '@assurance/contracts-http';
import { answer, type CallOf, Route, TheCall, unwrap } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { callerOf } from '../core/caller';
import { ChangeControl } from './change-control';
import { CreateControl } from './create-control';

@Controller()
export class ControlsController {
  constructor(private readonly commands: CommandBus) {}

  @Route(routes.postControl)
  async create(@TheCall() call: CallOf<typeof routes.postControl>) {
    const { identifier, name, description } = call.body;
    const given = { identifier, name, description: description ?? '' };
    unwrap(await this.commands.execute(new CreateControl(callerOf(call), given)));
    return answer(201, 'OK');
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
    unwrap(await this.commands.execute(new ChangeControl(callerOf(call), call.params.control, change)));
    return answer(200, 'OK');
  }

  @Route(routes.archiveControl)
  async archive(@TheCall() call: CallOf<typeof routes.archiveControl>) {
    unwrap(await this.commands.execute(new ChangeControl(callerOf(call), call.params.control, { kind: 'archive' })));
    return answer(200, 'OK');
  }

  @Route(routes.unarchiveControl)
  async unarchive(@TheCall() call: CallOf<typeof routes.unarchiveControl>) {
    unwrap(await this.commands.execute(new ChangeControl(callerOf(call), call.params.control, { kind: 'unarchive' })));
    return answer(200, 'OK');
  }
}
