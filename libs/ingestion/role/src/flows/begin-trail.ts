import { type RepoRef, streams } from '@assurance/contracts-events';
import { type BeginTrail as TrailInput, decideBeginTrail, type RecordRepo } from '@assurance/ingestion-domain';
import { no, ok, type Result } from '@assurance/kernel';
import { type FeatureRefusal, flow as flows, trail } from '@assurance/model';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { commandBy } from '../commands';
import { by } from '../core/caller';
import { flowNow } from './flow-now';
import { Register } from '../core/register';
import { Repositories } from './repositories';
import { Streams } from '../core/streams';

/** Begins a trail or updates it; its repository is recorded. */
export class BeginTrail extends commandBy<
  { flow: string; input: Omit<TrailInput, 'repo'>; repo: RecordRepo | null },
  'made' | 'kept'
>() {}

@CommandHandler(BeginTrail)
export class BeginTrailHandler implements ICommandHandler<BeginTrail> {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
    private readonly repositories: Repositories,
  ) {}

  async execute({ caller, flow: flowName, input, repo }: BeginTrail): Promise<Result<'made' | 'kept', FeatureRefusal>> {
    const id = await this.register.find(caller.org.id, 'flow', flowName);
    const flow = id === null ? null : (await this.streams.load(flows, streams.flow(id))).state;
    if (flow === null) return no({ kind: 'flow-unknown', org: caller.org.name, name: flowName });
    const named: RepoRef | undefined =
      repo === null || flow.archived ? undefined : await this.repositories.record(repo, by(caller));
    const command: TrailInput = { ...input, ...(named === undefined ? {} : { repo: named }) };
    const templateId = this.streams.sources.id();
    let isNew = false;
    const ended = await this.streams.run(trail, streams.trail(flow.id, input.name), by(caller), async ({ state }) => {
      isNew = state === null;
      return decideBeginTrail(state, command, { flow: await flowNow(this.streams, flow.id), templateId });
    });
    return ended.kind === 'refused' ? no(ended.refusal) : ok(isNew ? 'made' : 'kept');
  }
}
