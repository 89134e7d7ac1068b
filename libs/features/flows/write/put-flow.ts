import { OrganizationLimits } from '@assurance/access/write/organization-limits';
import { Register } from '@assurance/access/write/register';
import { streams } from '@assurance/contracts/events/streams';
import { isReservedFlow } from '@assurance/contracts/http/patterns';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { commitAuthorOf } from '@assurance/http/command-caller';
import { commandBy } from '@assurance/http/commands';
import { err, ok, type Result } from '@assurance/kernel';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { flow, flowTemplates } from '../domain/flow';
import { decidePutFlow, type PutFlow as FlowInput } from '../domain/put-flow';

/** Creates or updates a flow. An archived flow is revived. */
export class PutFlow extends commandBy<{ input: FlowInput }, 'made' | 'kept'>() {}

@CommandHandler(PutFlow)
export class PutFlowHandler implements ICommandHandler<PutFlow> {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
    private readonly limits: OrganizationLimits,
  ) {}

  async execute({ caller, input }: PutFlow): Promise<Result<'made' | 'kept', FeatureRefusal>> {
    const { sources, engines } = this.streams;
    if (isReservedFlow(input.name) && !(await this.hasName(caller.org.id, input.name)))
      return err({ kind: 'flow-name-reserved', field: 'name', name: input.name });
    const newFlow = { id: sources.id() };
    const id = await this.register.take(caller.org.id, 'flow', input.name, newFlow, commitAuthorOf(caller), (holder) =>
      this.streams.holder(flow, streams.flow(holder)),
    );
    let isNew = false;
    const outcome = await this.streams.run(flow, streams.flow(id), commitAuthorOf(caller), async ({ state }) => {
      isNew = state === null;
      if (isNew) await this.limits.checkOneMore(caller.org.id, 'flows');
      const inForce = state === null ? null : await engines.documents.collection(flowTemplates).get(state.templateId);
      return decidePutFlow(state, input, { id, templateId: sources.id(), template: inForce?.template ?? null });
    });
    return outcome.kind === 'refused' ? err(outcome.refusal) : ok(isNew ? 'made' : 'kept');
  }

  /** Whether a flow has the name as its current name. An alias does not count, because a new flow would take it. */
  private async hasName(org: string, name: string): Promise<boolean> {
    const id = await this.register.find(org, 'flow', name);
    return id !== null && (await this.streams.holder(flow, streams.flow(id)))?.name === name;
  }
}
