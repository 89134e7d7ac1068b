import type { FlowTemplate, Visibility } from '@assurance/contracts-events';
import { decidePutFlow } from '@assurance/ingestion-domain';
import { no, ok, type Result } from '@assurance/kernel';
import { flow, flowTemplates } from '@assurance/model-flow';
import { streams } from '@assurance/contracts-events';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { by, type Caller } from '../caller';
import { Register } from '../register';
import type { CommandRefusal } from '../refusals';
import { Room } from '../room';
import { Streams } from '../streams';

export interface FlowInput {
  readonly name: string;
  readonly description?: string;
  readonly visibility?: Visibility;
  readonly template?: FlowTemplate;
}

/** Creates a flow, updates it, revives it when it was archived (WIRE 7.1). */
export class PutFlow extends Command<Result<'made' | 'kept', CommandRefusal>> {
  constructor(
    readonly caller: Caller,
    readonly input: FlowInput,
  ) {
    super();
  }
}

@CommandHandler(PutFlow)
export class PutFlowHandler implements ICommandHandler<PutFlow> {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
    private readonly room: Room,
  ) {}

  async execute({ caller, input }: PutFlow): Promise<Result<'made' | 'kept', CommandRefusal>> {
    const { sources, engines } = this.streams;
    const fresh = { id: sources.id() };
    const id = await this.register.take(caller.org.id, 'flow', input.name, fresh, by(caller), (holder) =>
      this.streams.holder(flow, streams.flow(holder)),
    );
    let isNew = false;
    const ended = await this.streams.run(flow, streams.flow(id), by(caller), async ({ state }) => {
      isNew = state === null;
      if (isNew) await this.room.forOneMore(caller.org.id, 'flows');
      const inForce = state === null ? null : await engines.documents.collection(flowTemplates).get(state.templateId);
      return decidePutFlow(state, input, { id, templateId: sources.id(), template: inForce?.template ?? null });
    });
    return ended.kind === 'refused' ? no(ended.refusal) : ok(isNew ? 'made' : 'kept');
  }
}
