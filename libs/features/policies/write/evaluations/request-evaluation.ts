import { organization } from '@assurance/access/domain/organization';
import { decideEnableEvaluations } from '@assurance/access/domain/declare';
import { Register } from '@assurance/access/write/register';
import { streams } from '@assurance/contracts/events/streams';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import type { Evaluation } from '@assurance/contracts/policies/documents';
import type { EvaluatedTrail } from '@assurance/contracts/policies/events';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { LOGGER, type Logger } from '@assurance/event-sourcing/tokens';
import { flow } from '@assurance/flows/domain/flow';
import { type Trail, trail } from '@assurance/flows/domain/trail';
import { statusesOf } from '@assurance/flows/lookups/statuses';
import { statusAnswer } from '@assurance/flows/read/trails/status';
import { commitAuthorOf, type Caller } from '@assurance/http/command-caller';
import { commandBy } from '@assurance/http/commands';
import { byteLength, canonicalJson, err, ok, pause, pieces, type Result, sha256 } from '@assurance/kernel';
import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { decideRequestEvaluation } from '../../domain/evaluation/decide';
import { evaluation } from '../../domain/evaluation/evaluation';
import { EvaluationWorker } from './evaluation-worker';

/** How many trails are read at once. */
const TOGETHER = 10;
/** Reading ends beyond this size, because the evaluation fails (characters of JSON). */
const READ_MAX = 8 * 1024 * 1024;

/** The names of a trail. */
interface TrailName {
  readonly flow: string;
  readonly trail: string;
}

/** Requests the evaluation of a policy in Rego. */
export class RequestEvaluation extends commandBy<
  {
    trails: readonly TrailName[];
    policy: { readonly files: Readonly<Record<string, string>> } | { readonly identifier: string };
    params: Readonly<Record<string, unknown>>;
  },
  Evaluation
>() {}

/** A trail, with the name of its flow and the commit that its state reflects. */
type FoundTrail = EvaluatedTrail & { readonly state: Trail };

@CommandHandler(RequestEvaluation)
export class RequestEvaluationHandler implements ICommandHandler<RequestEvaluation> {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
    private readonly worker: EvaluationWorker,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async execute({
    caller,
    trails: names,
    policy,
    params,
  }: RequestEvaluation): Promise<Result<Evaluation, FeatureRefusal>> {
    const { org } = caller;
    const requestedAt = this.streams.sources.now();
    const { state } = await this.streams.load(organization, streams.organization(org.id));
    if (state?.evaluations !== true) return err({ kind: 'evaluation-disabled' });
    if ('identifier' in policy)
      return err({ kind: 'rego-policy-unknown', identifier: policy.identifier, org: org.name });
    const found = await this.findTrails(org, names);
    if (!found.ok) return found;
    const input = await this.inputOf(found.value);
    const id = this.streams.sources.id();
    const trails = found.value.map(({ state: _, ...evaluated }) => evaluated);
    const request = { id, requestedAt, trails, digest: sha256(canonicalJson(policy.files)) };
    const kept = { files: policy.files, params, input };
    const author = commitAuthorOf(caller);
    const outcome = await this.streams.run(evaluation, streams.evaluation(id), author, (loaded) =>
      decideRequestEvaluation(loaded.state, { request, kept }, { inputBytes: byteLength(input) }),
    );
    if (outcome.kind !== 'committed') throw new Error(`an evaluation ${id} was there before it was requested`);
    return (await this.enqueue(id, caller)) ? ok(outcome.state) : err({ kind: 'evaluation-not-queued', id });
  }

  /** The feed enqueues it too, unless it has ended then. */
  private async enqueue(id: string, { org, correlation }: Caller): Promise<boolean> {
    const work = { org: org.id, correlation };
    try {
      await this.worker.enqueue(new Map([[id, work]]));
      return true;
    } catch (error) {
      this.logger.warn({ err: error, evaluation: id }, 'an evaluation could not be queued');
      await this.worker.end(id, work, { kind: 'enqueue_failed', message: 'The evaluation could not be queued' });
      return false;
    }
  }

  /** The trails in this order, each once. */
  private async findTrails(
    org: Caller['org'],
    names: readonly TrailName[],
  ): Promise<Result<FoundTrail[], FeatureRefusal<'trails-unknown'>>> {
    const distinct = [...new Map(names.map((name) => [JSON.stringify([name.flow, name.trail]), name])).values()];
    const flows = new Map<string, EvaluatedTrail['flow'] | null>();
    for (const name of new Set(distinct.map((each) => each.flow))) flows.set(name, await this.findFlow(org.id, name));
    const found: FoundTrail[] = [];
    const unknown: string[] = [];
    for (const name of distinct) {
      const ownFlow = flows.get(name.flow) ?? null;
      const { state, newest } =
        ownFlow === null
          ? { state: null, newest: null }
          : await this.streams.load(trail, streams.trail(ownFlow.id, name.trail));
      if (ownFlow === null || state === null || newest === null) unknown.push(`${name.flow}/${name.trail}`);
      else found.push({ flow: ownFlow, trail: name.trail, moment: newest.seq, state });
    }
    return unknown.length === 0 ? ok(found) : err({ kind: 'trails-unknown', names: unknown, org: org.name });
  }

  private async findFlow(org: string, name: string): Promise<EvaluatedTrail['flow'] | null> {
    const id = await this.register.find(org, 'flow', name);
    const state = id === null ? null : (await this.streams.load(flow, streams.flow(id))).state;
    return state === null ? null : { id: state.id, name: state.name };
  }

  /** JSON of what the policy reads as `input`. It may be cut, and then is longer than an input may be. */
  private async inputOf(trails: readonly FoundTrail[]): Promise<string> {
    const { documents } = this.streams.engines;
    const texts: string[] = [];
    let size = 0;
    for (const some of pieces(trails, TOGETHER)) {
      const states = some.map(({ state }) => state);
      const statusOf = await statusesOf(documents, states);
      for (const { flow: ownFlow, state, moment } of some) {
        await pause();
        const text = JSON.stringify({
          flow_name: ownFlow.name,
          trail_name: state.name,
          moment_number: moment,
          created_at: state.createdAt / 1_000,
          template_id: state.templateId,
          compliance_status: statusInSlots(statusAnswer(statusOf(state), state)),
        });
        texts.push(text);
        size += text.length;
        if (size > READ_MAX) return text.padEnd(READ_MAX);
      }
    }
    const [only] = texts;
    const one = texts.length === 1 && only !== undefined ? `"trail":${only},` : '';
    return `{${one}"trails":[${texts.join(',')}]}`;
  }
}

type Status = ReturnType<typeof statusAnswer>;

/** Policies find attestations by their names. */
function statusInSlots({ attestations_statuses, artifacts_statuses, ...status }: Status) {
  const byName = (all: Status['attestations_statuses']) =>
    Object.fromEntries(all.toReversed().map((each) => [each.attestation_name, each]));
  const artifacts = Object.entries(artifacts_statuses).map(([name, artifact]) => [
    name,
    { ...artifact, attestations_statuses: byName(artifact.attestations_statuses) },
  ]);
  return {
    ...status,
    attestations_statuses: byName(attestations_statuses),
    artifacts_statuses: Object.fromEntries(artifacts) as object,
  };
}

/** Has the service evaluate policies in Rego for the organization, or no longer. */
export class EnableEvaluations extends commandBy<{ enabled: boolean }>() {}

@CommandHandler(EnableEvaluations)
export class EnableEvaluationsHandler implements ICommandHandler<EnableEvaluations> {
  constructor(private readonly streams: Streams) {}

  async execute({ caller, enabled }: EnableEvaluations): Promise<Result<null, FeatureRefusal>> {
    const stream = streams.organization(caller.org.id);
    await this.streams.run(organization, stream, commitAuthorOf(caller), ({ state }) => {
      if (state === null) throw new Error(`there is no organization ${caller.org.id}`);
      return decideEnableEvaluations(state, enabled);
    });
    return ok(null);
  }
}
