import { decideArchiveFlow } from '@assurance/access/domain/naming/archive';
import { decideMoveFlow } from '@assurance/access/domain/naming/move';
import { decideRenameFlow } from '@assurance/access/domain/naming/rename';
import { type ChangeTags, decideTagFlow } from '@assurance/access/domain/naming/tags';
import { Register } from '@assurance/access/write/register';
import { Spaces } from '@assurance/access/write/spaces';
import { streams } from '@assurance/contracts/events/streams';
import type { Flow } from '@assurance/contracts/flows/documents';
import type { FlowEvent } from '@assurance/contracts/flows/events';
import { isReservedFlow } from '@assurance/contracts/http/patterns';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { commitAuthorOf, type Caller } from '@assurance/http/command-caller';
import { commandBy } from '@assurance/http/commands';
import { type Decision, err, ok, refused, type Result } from '@assurance/kernel';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { flow as flows } from '../domain/flow';

/** A change of an existing flow. */
export type FlowChange =
  /** If the flow is already archived, there is no second event (specification 4.9). */
  | { readonly kind: 'archive' }
  | { readonly kind: 'rename'; readonly name: string }
  /** The id of the new space. */
  | { readonly kind: 'move'; readonly space: string }
  | { readonly kind: 'tag'; readonly tags: ChangeTags };

/** Changes a flow by its name or an alias. */
export class ChangeFlow extends commandBy<{ flow: string; change: FlowChange }>() {}

@CommandHandler(ChangeFlow)
export class ChangeFlowHandler implements ICommandHandler<ChangeFlow> {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
    private readonly spaces: Spaces,
  ) {}

  async execute({ caller, flow: name, change }: ChangeFlow): Promise<Result<null, FeatureRefusal>> {
    const unknownFlow = { kind: 'flow-unknown', org: caller.org.name, name } as const;
    const id = await this.register.find(caller.org.id, 'flow', name);
    if (id === null) return err(unknownFlow);
    const outcome = await this.streams.run(flows, streams.flow(id), commitAuthorOf(caller), ({ state, newest }) =>
      state === null || newest === null ? refused(unknownFlow) : this.decide(caller, state, newest.seq, change),
    );
    return outcome.kind === 'refused' ? err(outcome.refusal) : ok(null);
  }

  private async decide(
    caller: Caller,
    flow: Flow,
    seq: number,
    change: FlowChange,
  ): Promise<Decision<FlowEvent, FeatureRefusal>> {
    switch (change.kind) {
      case 'archive':
        return decideArchiveFlow(flow);
      case 'tag':
        return decideTagFlow(flow, change.tags);
      case 'move': {
        const decision = decideMoveFlow(flow, change, { tree: await this.spaces.of(caller.org.id) });
        return decision.kind === 'refused' ? refused({ ...decision.refusal, org: caller.org.name }) : decision;
      }
      case 'rename': {
        if (isReservedFlow(change.name) && change.name !== flow.name)
          return refused({ kind: 'flow-name-reserved', field: 'new_name', name: change.name });
        const isOwn =
          change.name === flow.name ||
          (await this.register.take(
            caller.org.id,
            'flow',
            change.name,
            { id: flow.id, at: seq },
            commitAuthorOf(caller),
            (holder) => this.streams.holder(flows, streams.flow(holder)),
          )) === flow.id;
        return decideRenameFlow(flow, change, { isOwn });
      }
    }
  }
}
