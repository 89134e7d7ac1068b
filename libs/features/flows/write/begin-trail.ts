import { Register } from '@assurance/access/write/register';
import type { RepoRef } from '@assurance/contracts/events/commit';
import { streams } from '@assurance/contracts/events/streams';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { commitAuthorOf } from '@assurance/http/command-caller';
import { commandBy } from '@assurance/http/commands';
import { err, ok, type Result } from '@assurance/kernel';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type BeginTrail as TrailInput, decideBeginTrail } from '../domain/begin-trail';
import { flow as flows } from '../domain/flow';
import type { RecordRepo } from '../domain/record-repo';
import { trail } from '../domain/trail';
import { currentFlow } from './current-flow';
import { Repositories } from './repositories';

/** Begins or updates a trail, and records its repository. */
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
    if (flow === null) return err({ kind: 'flow-unknown', org: caller.org.name, name: flowName });
    const recordedRepo: RepoRef | undefined =
      repo === null || flow.archived ? undefined : await this.repositories.record(repo, commitAuthorOf(caller));
    const command: TrailInput = { ...input, ...(recordedRepo === undefined ? {} : { repo: recordedRepo }) };
    const templateId = this.streams.sources.id();
    let isNew = false;
    const outcome = await this.streams.run(
      trail,
      streams.trail(flow.id, input.name),
      commitAuthorOf(caller),
      async ({ state }) => {
        isNew = state === null;
        return decideBeginTrail(state, command, { flow: await currentFlow(this.streams, flow.id), templateId });
      },
    );
    return outcome.kind === 'refused' ? err(outcome.refusal) : ok(isNew ? 'made' : 'kept');
  }
}
