import type { Result } from '@assurance/kernel';
import type { FeatureRefusal } from '@assurance/model';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { commandBy } from '../commands';
import { type FlowInput, MakeFlow } from './make-flow';

/** Creates a flow, updates it, revives it when it was archived. */
export class PutFlow extends commandBy<{ input: FlowInput }, 'made' | 'kept'>() {}

@CommandHandler(PutFlow)
export class PutFlowHandler implements ICommandHandler<PutFlow> {
  constructor(private readonly flows: MakeFlow) {}

  execute({ caller, input }: PutFlow): Promise<Result<'made' | 'kept', FeatureRefusal>> {
    return this.flows.put(caller, input);
  }
}
