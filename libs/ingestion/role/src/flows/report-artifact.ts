import { type RepoRef, streams } from '@assurance/contracts-events';
import {
  decideReportArtifact,
  decideReportArtifactInTrail,
  type RecordRepo,
  type ReportArtifact as ArtifactInput,
} from '@assurance/ingestion-domain';
import { no, ok, type Result } from '@assurance/kernel';
import { type FeatureRefusal, flow as flows, looseArtifact, provenanceId, provenances, trail } from '@assurance/model';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { by, type Caller } from '../core/caller';
import { flowNow } from './flow-now';
import { Register } from '../core/register';
import { Repositories } from './repositories';
import { Streams } from '../core/streams';

/** Records an artifact's provenance and its repository. Begins the trail if it does not exist. */
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
    repo: given,
  }: ReportArtifact): Promise<Result<'made' | 'kept', FeatureRefusal>> {
    const { engines, sources } = this.streams;
    const id = await this.register.find(caller.org.id, 'flow', flowName);
    const flow = id === null ? null : (await this.streams.load(flows, streams.flow(id))).state;
    if (flow === null) return no({ kind: 'flow-unknown', org: caller.org.name, name: flowName });
    if (flow.archived) return no({ kind: 'flow-archived', name: flowName });
    const repo: RepoRef | null = given === null ? null : await this.repositories.record(given, by(caller));
    const { trail: name, fingerprint } = input;
    const stream = name === null ? streams.artifact(flow.id, fingerprint) : streams.trail(flow.id, name);
    let isNew = false;
    const factsAt = async (at: number, state: object | null) => {
      const reported = engines.documents.collection(provenances);
      const known = state === null ? null : await reported.get(provenanceId(fingerprint, stream));
      isNew = known === null;
      return { flow: await flowNow(this.streams, flow.id), repo, known, artifactId: sources.id(), at };
    };
    const ended =
      name === null
        ? await this.streams.run(looseArtifact, stream, by(caller), async ({ state }, at) =>
            decideReportArtifact(input, await factsAt(at, state)),
          )
        : await this.streams.run(trail, stream, by(caller), async ({ state }, at) =>
            decideReportArtifactInTrail(state, { ...input, trail: name }, await factsAt(at, state)),
          );
    return ended.kind === 'refused' ? no(ended.refusal) : ok(isNew ? 'made' : 'kept');
  }
}
