import { StreamsByName } from '@assurance/access/write/register';
import type { HoldScope, RetentionDays, RetentionEvent } from '@assurance/contracts/audit/events';
import { streams } from '@assurance/contracts/events/streams';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { retention } from '@assurance/evidence/domain/retention';
import type { Retention } from '@assurance/evidence/domain/retention-state';
import { trail as trails } from '@assurance/flows/domain/trail';
import { currentFlow } from '@assurance/flows/write/current-flow';
import { type Caller, commitAuthorOf } from '@assurance/http/command-caller';
import { commandBy } from '@assurance/http/commands';
import { type Decision, err, ok, type Result } from '@assurance/kernel';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { decidePlaceHold, decideReleaseHold } from '../domain/hold';
import { decideSetRetention } from '../domain/set-retention';

/** Names of the held flow and trail. The trail is null if the whole flow is held. */
interface HoldTarget {
  readonly flow: string;
  readonly trail: string | null;
}

export type RetentionChange =
  | { readonly kind: 'set'; readonly days: RetentionDays }
  | ({ readonly kind: 'hold'; readonly reason: string } & HoldTarget)
  | ({ readonly kind: 'release' } & HoldTarget);

/** Changes the retention rules or the legal holds of an organization. */
export class ChangeRetention extends commandBy<{ change: RetentionChange }>() {}

@CommandHandler(ChangeRetention)
export class ChangeRetentionHandler extends StreamsByName implements ICommandHandler<ChangeRetention> {
  async execute({ caller, change }: ChangeRetention): Promise<Result<null, FeatureRefusal>> {
    if (change.kind === 'set') return this.run(caller, (state) => decideSetRetention(state, change.days));
    const result = await this.scope(caller, change);
    if (!result.ok) return result;
    const { value: scope } = result;
    if (change.kind === 'hold')
      return this.run(caller, (state) => decidePlaceHold(state, { ...scope, reason: change.reason }));
    const place = change.trail === null ? change.flow : `${change.flow}/${change.trail}`;
    return this.run(caller, (state) => decideReleaseHold(state, { ...scope, shown: place }));
  }

  private async run(
    caller: Caller,
    decide: (state: Retention | null) => Decision<RetentionEvent, FeatureRefusal>,
  ): Promise<Result<null, FeatureRefusal>> {
    const outcome = await this.streams.run(
      retention,
      streams.retention(caller.org.id),
      commitAuthorOf(caller),
      ({ state }) => decide(state),
    );
    return outcome.kind === 'refused' ? err(outcome.refusal) : ok(null);
  }

  /** Finds an existing flow or trail. The scope has ids, which never change. */
  private async scope({ org }: Caller, { flow: name, trail }: HoldTarget): Promise<Result<HoldScope, FeatureRefusal>> {
    const id = await this.register.find(org.id, 'flow', name);
    if (id === null) return err({ kind: 'flow-unknown', org: org.name, name });
    if (trail !== null && (await this.streams.load(trails, streams.trail(id, trail))).state === null) {
      const { name: flow } = await currentFlow(this.streams, id);
      return err({ kind: 'trail-unknown', name: trail, org: org.name, flow });
    }
    return ok({ flow: id, trail });
  }
}
