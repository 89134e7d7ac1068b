import { routes } from '@assurance/contracts/http/routes/routes';
import { answer, type CallOf, RequestCall, Route } from '@assurance/http';
import { callerOf } from '@assurance/http/command-caller';
import { CommandsController } from '@assurance/http/commands';
import { Controller } from '@nestjs/common';
import { ChangeEnvironment, type EnvironmentChange } from './change-environment';

/** Routes of the policies that are attached to environments, and of their allow-lists. */
@Controller()
export class JudgingController extends CommandsController {
  @Route(routes.attachPolicies)
  attach(@RequestCall() call: CallOf<typeof routes.attachPolicies>) {
    return this.changeEnvironment(call, { kind: 'attach', policies: call.body.policy_names });
  }

  @Route(routes.detachPolicies)
  detach(@RequestCall() call: CallOf<typeof routes.detachPolicies>) {
    return this.changeEnvironment(call, { kind: 'detach', policies: call.body.policy_names });
  }

  @Route(routes.putAllowlist)
  async allow(@RequestCall() call: CallOf<typeof routes.putAllowlist>) {
    const { artifact_fingerprint: fingerprint, artifact_name, description, expires_at } = call.body;
    const entry = {
      fingerprint,
      ...(artifact_name == null ? {} : { name: artifact_name }),
      ...(description == null ? {} : { description }),
      ...(expires_at == null ? {} : { expiresAt: expires_at === 0 ? null : expires_at * 1_000 }),
    };
    const change = { kind: 'allow', entry } as const;
    const command = new ChangeEnvironment({ caller: callerOf(call), environment: call.params.env, change });
    return answer((await this.run(command)) === 'allowed' ? 201 : 200, 'OK');
  }

  private changeEnvironment(
    call: CallOf<typeof routes.attachPolicies | typeof routes.detachPolicies>,
    change: EnvironmentChange,
  ) {
    return this.ok(new ChangeEnvironment({ caller: callerOf(call), environment: call.params.env, change }));
  }
}
