import type { Result } from '@assurance/kernel';
import type { FeatureRefusal } from '@assurance/model';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../core/caller';
import { type FlowInput, MakeFlow } from './make-flow';

/** Creates a flow, updates it, revives it when it was archived. */
export class PutFlow extends Command<Result<'made' | 'kept', FeatureRefusal>> {
  constructor(
    readonly caller: Caller,
    readonly input: FlowInput,
  ) {
    super();
  }
}

@CommandHandler(PutFlow)
export class PutFlowHandler implements ICommandHandler<PutFlow> {
  constructor(private readonly flows: MakeFlow) {}

  execute({ caller, input }: PutFlow): Promise<Result<'made' | 'kept', FeatureRefusal>> {
    return this.flows.put(caller, input);
  }
}
