import { routes } from '@assurance/contracts/http/routes/routes';
import { type Call, type CallOf, RequestCall, Route } from '@assurance/http';
import { callerOf } from '@assurance/http/command-caller';
import { CommandsController } from '@assurance/http/commands';
import { Controller } from '@nestjs/common';
import { ChangeRetention, type RetentionChange } from './change-retention';

/** Retention rules and legal holds of an organization. */
@Controller()
export class RetentionController extends CommandsController {
  @Route(routes.putRetention)
  put(@RequestCall() call: CallOf<typeof routes.putRetention>) {
    const { attachments_days, payloads_days, snapshots_days } = call.body;
    const days = {
      attachments: attachments_days ?? null,
      payloads: payloads_days ?? null,
      snapshots: snapshots_days ?? null,
    };
    return this.change(call, { kind: 'set', days });
  }

  @Route(routes.holdFlow)
  holdFlow(@RequestCall() call: CallOf<typeof routes.holdFlow>) {
    return this.change(call, { kind: 'hold', flow: call.params.flow, trail: null, reason: call.body.reason });
  }

  @Route(routes.holdTrail)
  holdTrail(@RequestCall() call: CallOf<typeof routes.holdTrail>) {
    return this.change(call, { kind: 'hold', ...call.params, reason: call.body.reason });
  }

  @Route(routes.releaseFlow)
  releaseFlow(@RequestCall() call: CallOf<typeof routes.releaseFlow>) {
    return this.change(call, { kind: 'release', flow: call.params.flow, trail: null });
  }

  @Route(routes.releaseTrail)
  releaseTrail(@RequestCall() call: CallOf<typeof routes.releaseTrail>) {
    return this.change(call, { kind: 'release', ...call.params });
  }

  private change(call: Call, change: RetentionChange) {
    return this.ok(new ChangeRetention({ caller: callerOf(call), change }));
  }
}
