import { Register } from '@assurance/access/write/register';
import type { RepoRef } from '@assurance/contracts/events/commit';
import { streams } from '@assurance/contracts/events/streams';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { type Caller, commitAuthorOf } from '@assurance/http/command-caller';
import { err, ok, type Result } from '@assurance/kernel';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { flow as flows } from '../domain/flow';
import { provenanceId, provenances } from '../domain/provenance';
import type { RecordRepo } from '../domain/record-repo';
import {
  decideReportArtifact,
  decideReportArtifactInTrail,
  type ReportArtifact as ArtifactInput,
} from '../domain/report-artifact';
import { looseArtifact, trail } from '../domain/trail';
import { currentFlow } from './current-flow';
import { Repositories } from './repositories';

/** Records the provenance of an artifact and its repository. It begins the trail if it does not exist. */
export class ReportArtifact extends Command<Result<'made' | 'kept', FeatureRefusal>> {
  constructor(
    readonly caller: Caller,
    readonly flow: string,
    readonly input: ArtifactInput,
    readonly repo: RecordRepo | null,
  ) {
    super();
  }
}

@CommandHandler(ReportArtifact)
export class ReportArtifactHandler implements ICommandHandler<ReportArtifact> {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
    private readonly repositories: Repositories,
  ) {}

  async execute({
    caller,
    flow: flowName,
    input,
    repo: value,
  }: ReportArtifact): Promise<Result<'made' | 'kept', FeatureRefusal>> {
    const { engines, sources } = this.streams;
    const id = await this.register.find(caller.org.id, 'flow', flowName);
    const flow = id === null ? null : (await this.streams.load(flows, streams.flow(id))).state;
    if (flow === null) return err({ kind: 'flow-unknown', org: caller.org.name, name: flowName });
    if (flow.archived) return err({ kind: 'flow-archived', name: flowName });
    const repo: RepoRef | null = value === null ? null : await this.repositories.record(value, commitAuthorOf(caller));
    const { trail: name, fingerprint } = input;
    const stream = name === null ? streams.artifact(flow.id, fingerprint) : streams.trail(flow.id, name);
    let isNew = false;
    const factsAt = async (at: number, state: object | null) => {
      const reports = engines.documents.collection(provenances);
      const report = state === null ? null : await reports.get(provenanceId(fingerprint, stream));
      isNew = report === null;
      return { flow: await currentFlow(this.streams, flow.id), repo, provenance: report, artifactId: sources.id(), at };
    };
    const outcome =
      name === null
        ? await this.streams.run(looseArtifact, stream, commitAuthorOf(caller), async ({ state }, at) =>
            decideReportArtifact(input, await factsAt(at, state)),
          )
        : await this.streams.run(trail, stream, commitAuthorOf(caller), async ({ state }, at) =>
            decideReportArtifactInTrail(state, { ...input, trail: name }, await factsAt(at, state)),
          );
    return outcome.kind === 'refused' ? err(outcome.refusal) : ok(isNew ? 'made' : 'kept');
  }
}
