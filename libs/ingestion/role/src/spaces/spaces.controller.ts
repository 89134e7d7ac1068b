import { ROOT_SPACE } from '@assurance/contracts-events';
import { routes } from '@assurance/contracts-http';
import { answer, type CallOf, Route, TheCall } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { CommandsController } from '../commands';
import { callerOf } from '../core/caller';
import { ChangeEnvironment } from '../environments/change-environment';
import { ChangeFlow } from '../flows/change-flow';
import { ChangeSpace, PutSpace } from './spaces';

/** Routes of spaces and of moving environments and flows into them. */
@Controller()
export class SpacesController extends CommandsController {
  @Route(routes.putSpace)
  async put(@TheCall() call: CallOf<typeof routes.putSpace>) {
    const { name, parent_id } = call.body;
    const given = { name, parent: parent_id ?? ROOT_SPACE };
    const { created, space } = await this.run(new PutSpace({ caller: callerOf(call), given }));
    return answer(created ? 201 : 200, { id: space.id, name: space.name, parent_id: space.parent });
  }

  @Route(routes.renameSpace)
  rename(@TheCall() call: CallOf<typeof routes.renameSpace>) {
    return this.ok(
      new ChangeSpace({
        caller: callerOf(call),
        id: call.params.space,
        change: { kind: 'rename', name: call.body.new_name },
      }),
    );
  }

  @Route(routes.moveSpace)
  move(@TheCall() call: CallOf<typeof routes.moveSpace>) {
    return this.ok(
      new ChangeSpace({
        caller: callerOf(call),
        id: call.params.space,
        change: { kind: 'move', parent: call.body.parent_id },
      }),
    );
  }

  @Route(routes.archiveSpace)
  archive(@TheCall() call: CallOf<typeof routes.archiveSpace>) {
    return this.ok(new ChangeSpace({ caller: callerOf(call), id: call.params.space, change: { kind: 'archive' } }));
  }

  @Route(routes.moveEnvironment)
  moveEnvironment(@TheCall() call: CallOf<typeof routes.moveEnvironment>) {
    return this.ok(
      new ChangeEnvironment({
        caller: callerOf(call),
        environment: call.params.env,
        change: { kind: 'move', space: call.body.space_id },
      }),
    );
  }

  @Route(routes.moveFlow)
  moveFlow(@TheCall() call: CallOf<typeof routes.moveFlow>) {
    return this.ok(
      new ChangeFlow({
        caller: callerOf(call),
        flow: call.params.flow,
        change: { kind: 'move', space: call.body.space_id },
      }),
    );
  }
}
