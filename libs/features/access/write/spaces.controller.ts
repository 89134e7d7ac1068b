import { ROOT_SPACE } from '@assurance/contracts/access/events';
import { routes } from '@assurance/contracts/http/routes/routes';
import { answer, type Call, type CallOf, RequestCall, Route } from '@assurance/http';
import { callerOf } from '@assurance/http/command-caller';
import { CommandsController } from '@assurance/http/commands';
import { Controller } from '@nestjs/common';
import { ChangeSpace, PutSpace } from './spaces';

@Controller()
export class SpacesController extends CommandsController {
  @Route(routes.putSpace)
  async put(@RequestCall() call: CallOf<typeof routes.putSpace>) {
    const { name, parent_id } = call.body;
    const input = { name, parent: parent_id ?? ROOT_SPACE };
    const { created, space } = await this.run(new PutSpace({ caller: callerOf(call), input }));
    return answer(created ? 201 : 200, { id: space.id, name: space.name, parent_id: space.parent });
  }

  @Route(routes.renameSpace)
  rename(@RequestCall() call: CallOf<typeof routes.renameSpace>) {
    return this.change(call, { kind: 'rename', name: call.body.new_name });
  }

  @Route(routes.moveSpace)
  move(@RequestCall() call: CallOf<typeof routes.moveSpace>) {
    return this.change(call, { kind: 'move', parent: call.body.parent_id });
  }

  @Route(routes.archiveSpace)
  archive(@RequestCall() call: CallOf<typeof routes.archiveSpace>) {
    return this.change(call, { kind: 'archive' });
  }

  private change(call: Call<unknown, unknown, { readonly space: string }>, change: ChangeSpace['change']) {
    return this.ok(new ChangeSpace({ caller: callerOf(call), id: call.params.space, change }));
  }
}
