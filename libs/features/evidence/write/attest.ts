import { Register } from '@assurance/access/write/register';
import type { RepoRef } from '@assurance/contracts/events/commit';
import { streams } from '@assurance/contracts/events/streams';
import type { Flow } from '@assurance/contracts/flows/documents';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { flow as flows } from '@assurance/flows/domain/flow';
import { provenanceId, provenances } from '@assurance/flows/domain/provenance';
import type { RecordRepo } from '@assurance/flows/domain/record-repo';
import { trail as trails } from '@assurance/flows/domain/trail';
import { currentFlow } from '@assurance/flows/write/current-flow';
import { PutFlow, PutFlowHandler } from '@assurance/flows/write/put-flow';
import { Repositories } from '@assurance/flows/write/repositories';
import { type Caller, commitAuthorOf } from '@assurance/http/command-caller';
import { err, ok, type Result } from '@assurance/kernel';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Attest as AttestationInput, decideAttest } from '../domain/attest';
import { newestAttestation, overriddenAttestation } from './newest-attestation';

/** The most attestations in a trail that differ in target or name. Statuses and evaluations read all of them. */
const ATTESTED_MAX = 5_000;

/** Records an attestation. It creates the flow, the trail and the repository if they do not exist. */
export class Attest extends Command<Result<null, FeatureRefusal>> {
  constructor(
    readonly caller: Caller,
    readonly flow: string,
    readonly trail: string,
    readonly input: AttestationInput,
    readonly repo: RecordRepo | null,
  ) {
    super();
  }
}

@CommandHandler(Attest)
export class AttestHandler implements ICommandHandler<Attest> {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
    private readonly putFlow: PutFlowHandler,
    private readonly repositories: Repositories,
  ) {}

  async execute({ caller, flow: flowName, trail, input, repo: value }: Attest): Promise<Result<null, FeatureRefusal>> {
    const { documents } = this.streams.engines;
    const { target } = input;
    const results = await this.find(caller, flowName);
    if (results?.archived === true) return err({ kind: 'flow-archived', name: flowName });
    const unknownArtifact = { kind: 'attested-artifact-unknown', trail, flow: flowName, org: caller.org.name } as const;
    // An attestation that names an artifact creates no flow, because an unknown flow has no artifact.
    if (results === null && target.kind === 'artifact')
      return err({ ...unknownArtifact, fingerprint: target.fingerprint });
    const flow = results ?? (await this.createFlow(caller, flowName));
    const repo: RepoRef | null = value === null ? null : await this.repositories.record(value, commitAuthorOf(caller));
    const stream = streams.trail(flow.id, trail);
    const id = this.streams.sources.id();
    const outcome = await this.streams.run(trails, stream, commitAuthorOf(caller), async ({ state }) => {
      const artifact =
        target.kind === 'artifact'
          ? await documents.collection(provenances).get(provenanceId(target.fingerprint, stream))
          : null;
      const newest = await newestAttestation(documents, stream, target, input.name);
      const overridden =
        input.original === null
          ? null
          : await overriddenAttestation(documents, stream, { target, artifact, name: input.name });
      const now = await currentFlow(this.streams, flow.id);
      return decideAttest(state, input, {
        flow: now,
        trail,
        repo,
        artifact,
        newest,
        overridden,
        id,
        limit: ATTESTED_MAX,
      });
    });
    if (outcome.kind !== 'refused') return ok(null);
    const { refusal } = outcome;
    return err(refusal.kind === 'attested-artifact-unknown' ? { ...unknownArtifact, ...refusal } : refusal);
  }

  private async find(caller: Caller, name: string): Promise<Flow | null> {
    const id = await this.register.find(caller.org.id, 'flow', name);
    return id === null ? null : (await this.streams.load(flows, streams.flow(id))).state;
  }

  private async createFlow(caller: Caller, name: string): Promise<Flow> {
    await this.putFlow.execute(new PutFlow({ caller, input: { name } }));
    const flow = await this.find(caller, name);
    if (flow === null) throw new Error(`the flow ${name} was made and is not there`);
    return flow;
  }
}
