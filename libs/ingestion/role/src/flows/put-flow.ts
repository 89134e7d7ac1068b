import { streams } from '@assurance/contracts-events';
import { decidePutFlow, type PutFlow as FlowInput } from '@assurance/ingestion-domain';
import { no, ok, type Result } from '@assurance/kernel';
import { type FeatureRefusal, flow, flowTemplates } from '@assurance/model';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { by } from '../core/caller';
import { Register } from '../core/register';
import { OrganizationLimits } from '../core/organization-limits';
import { Streams } from '../core/streams';
import { commandBy } from '../commands';

/** Creates a flow, updates it, revives it when it was archived. */
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
    const fresh = { id: sources.id() };
    const id = await this.register.take(caller.org.id, 'flow', input.name, fresh, by(caller), (holder) =>
      this.streams.holder(flow, streams.flow(holder)),
    );
    let isNew = false;
    const ended = await this.streams.run(flow, streams.flow(id), by(caller), async ({ state }) => {
      isNew = state === null;
      if (isNew) await this.limits.checkOneMore(caller.org.id, 'flows');
      const inForce = state === null ? null : await engines.documents.collection(flowTemplates).get(state.templateId);
      return decidePutFlow(state, input, { id, templateId: sources.id(), template: inForce?.template ?? null });
    });
    return ended.kind === 'refused' ? no(ended.refusal) : ok(isNew ? 'made' : 'kept');
  }
}
