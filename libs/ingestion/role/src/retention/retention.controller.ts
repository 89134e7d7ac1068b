import { routes } from '@assurance/contracts-http';
import { answer, type CallOf, Route, TheCall, unwrap } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { callerOf } from '../core/caller';
import { ChangeRetention, type RetentionChange } from './change-retention';

type HoldCall =
  | CallOf<typeof routes.holdFlow>
  | CallOf<typeof routes.holdTrail>
  | CallOf<typeof routes.releaseFlow>
  | CallOf<typeof routes.releaseTrail>;

/** Retention rules and legal holds of an organization. */
@Controller()
export class RetentionController {
  constructor(private readonly commands: CommandBus) {}

  @Route(routes.putRetention)
  put(@TheCall() call: CallOf<typeof routes.putRetention>) {
    const { attachments_days, payloads_days, snapshots_days } = call.body;
    const days = {
      attachments: attachments_days ?? null,
      payloads: payloads_days ?? null,
      snapshots: snapshots_days ?? null,
    };
    return this.ok(call, { kind: 'set', days });
  }

  @Route(routes.holdFlow)
  holdFlow(@TheCall() call: CallOf<typeof routes.holdFlow>) {
    return this.ok(call, { kind: 'hold', flow: call.params.flow, trail: null, reason: call.body.reason });
  }

  @Route(routes.holdTrail)
  holdTrail(@TheCall() call: CallOf<typeof routes.holdTrail>) {
    return this.ok(call, { kind: 'hold', ...call.params, reason: call.body.reason });
  }

  @Route(routes.releaseFlow)
  releaseFlow(@TheCall() call: CallOf<typeof routes.releaseFlow>) {
    return this.ok(call, { kind: 'release', flow: call.params.flow, trail: null });
  }

  @Route(routes.releaseTrail)
  releaseTrail(@TheCall() call: CallOf<typeof routes.releaseTrail>) {
    return this.ok(call, { kind: 'release', ...call.params });
  }

  private async ok(call: HoldCall | CallOf<typeof routes.putRetention>, change: RetentionChange) {
    unwrap(await this.commands.execute(new ChangeRetention(callerOf(call), change)));
    return answer(200, 'OK');
  }
}
