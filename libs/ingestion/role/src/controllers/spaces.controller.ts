import { ROOT_SPACE } from '@assurance/contracts-events';
import { routes } from '@assurance/contracts-http';
import { answer, type CallOf, Route, TheCall, unwrap } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { callerOf } from '../caller';
import { ChangeEnvironment } from '../commands/change-environment';
import { ChangeFlow } from '../commands/change-flow';
import { ChangeSpace } from '../commands/change-space';
import { PutSpace } from '../commands/put-space';

/** The tree of spaces, and what is put into them. */
@Controller()
export class SpacesController {
  constructor(private readonly commands: CommandBus) {}

  @Route(routes.putSpace)
  async put(@TheCall() call: CallOf<typeof routes.putSpace>) {
    const { name, parent_id } = call.body;
    const given = { name, parent: parent_id ?? ROOT_SPACE };
    const { created, space } = unwrap(await this.commands.execute(new PutSpace(callerOf(call), given)));
    return answer(created ? 201 : 200, { id: space.id, name: space.name, parent_id: space.parent });
  }

  @Route(routes.renameSpace)
  async rename(@TheCall() call: CallOf<typeof routes.renameSpace>) {
    const change = { kind: 'rename', name: call.body.new_name } as const;
    unwrap(await this.commands.execute(new ChangeSpace(callerOf(call), call.params.space, change)));
    return answer(200, 'OK');
  }

  @Route(routes.moveSpace)
  async move(@TheCall() call: CallOf<typeof routes.moveSpace>) {
    const change = { kind: 'move', parent: call.body.parent_id } as const;
    unwrap(await this.commands.execute(new ChangeSpace(callerOf(call), call.params.space, change)));
    return answer(200, 'OK');
  }

  @Route(routes.archiveSpace)
  async archive(@TheCall() call: CallOf<typeof routes.archiveSpace>) {
    unwrap(await this.commands.execute(new ChangeSpace(callerOf(call), call.params.space, { kind: 'archive' })));
    return answer(200, 'OK');
  }

  @Route(routes.moveEnvironment)
  async moveEnvironment(@TheCall() call: CallOf<typeof routes.moveEnvironment>) {
    const change = { kind: 'move', space: call.body.space_id } as const;
    unwrap(await this.commands.execute(new ChangeEnvironment(callerOf(call), call.params.env, change)));
    return answer(200, 'OK');
  }

  @Route(routes.moveFlow)
  async moveFlow(@TheCall() call: CallOf<typeof routes.moveFlow>) {
    const change = { kind: 'move', space: call.body.space_id } as const;
    unwrap(await this.commands.execute(new ChangeFlow(callerOf(call), call.params.flow, change)));
    return answer(200, 'OK');
  }
}
