import { routes } from '@assurance/contracts-http';
import { answer, type CallOf, Route, TheCall, unwrap } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { callerOf } from '../caller';
import { ChangeMember } from '../commands/change-member';

/** Who belongs to an organization. */
@Controller()
export class MembersController {
  constructor(private readonly commands: CommandBus) {}

  @Route(routes.putMember)
  async put(@TheCall() call: CallOf<typeof routes.putMember>) {
    const { role, source, email } = call.body;
    const { user } = call.params;
    const change = { kind: 'set', role, source: source ?? null, email: email ?? null } as const;
    const done = unwrap(
      await this.commands.execute(new ChangeMember(callerOf(call), call.principal.name, user, change)),
    );
    return answer(done.added ? 201 : 200, { user, role, api_key: done.key });
  }

  @Route(routes.removeMember)
  async remove(@TheCall() call: CallOf<typeof routes.removeMember>) {
    const { user } = call.params;
    unwrap(
      await this.commands.execute(new ChangeMember(callerOf(call), call.principal.name, user, { kind: 'remove' })),
    );
    return answer(200, 'OK');
  }
}
