import { actorNames } from '@assurance/access/lookups/actors';
import { orderBy } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import type { EvaluationAnswer, EvaluationPage } from '@assurance/contracts/policies/answers/evaluation';
import { type Evaluation, evaluationResults } from '@assurance/contracts/policies/documents';
import { pageFields, pageOf, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import type { Refusal } from '@assurance/http';
import { type ListedPage, queryBy, ReadingHandler } from '@assurance/http/queries';
import { err, ok, parseExact, type Result } from '@assurance/kernel';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { evaluation } from '../domain/evaluation/evaluation';
import { readEvaluationInput } from '../lookups/evaluation-input';

/** One evaluation. */
export class GetEvaluation extends queryBy<{ id: string; withInput: boolean }, Result<EvaluationAnswer, Refusal>>() {}

@QueryHandler(GetEvaluation)
export class GetEvaluationHandler extends ReadingHandler implements IQueryHandler<GetEvaluation> {
  async execute({ caller: { org }, id, withInput }: GetEvaluation): Promise<Result<EvaluationAnswer, Refusal>> {
    const { documents, events } = this.ports;
    const stream = streams.evaluation(id);
    const state = await documents.collection(evaluation.states).get(stream);
    if (state?.org !== org.id) return err({ kind: 'evaluation-unknown', id, org: org.name });
    const { requestedBy } = state;
    const listed = listedOf(state, (await actorNames(documents, [requestedBy]))(requestedBy));
    const stored = state.status === 'completed' ? await documents.collection(evaluationResults).get(stream) : null;
    const kept = withInput ? await readEvaluationInput(events, id) : null;
    return ok({
      ...listed,
      ...(stored === null ? {} : { result: parseExact(stored.result) as NonNullable<EvaluationAnswer['result']> }),
      ...(kept === null
        ? {}
        : {
            policy: { ...listed.policy, files: kept.files },
            params: kept.params,
            input: parseExact(kept.input),
          }),
    });
  }
}

/** One page of evaluations, the newest first. */
export class ListEvaluations extends queryBy<{ page: PageRequest }, ListedPage<EvaluationPage>>() {}

@QueryHandler(ListEvaluations)
export class ListEvaluationsHandler extends ReadingHandler implements IQueryHandler<ListEvaluations> {
  async execute({ caller: { org }, page }: ListEvaluations): Promise<ListedPage<EvaluationPage>> {
    const { documents } = this.ports;
    const listing = { where: { org: org.id }, order: orderBy('-requestedAt', '-id'), matches: null };
    const {
      documents: found,
      count,
      ...ends
    } = await pageOf<Evaluation>(documents.collection(evaluation.states), listing, page);
    const nameOf = await actorNames(
      documents,
      found.map(({ doc }) => doc.requestedBy),
    );
    const evaluations = found.map(({ doc }) => listedOf(doc, nameOf(doc.requestedBy)));
    return { body: { ...pageFields(page, count), evaluations }, ends };
  }
}

function listedOf(
  { id, status, requestedAt, recordedAt, digest, trails, error }: Evaluation,
  requestedBy: string,
): EvaluationPage['evaluations'][number] {
  return {
    id,
    status,
    requested_at: requestedAt / 1_000,
    recorded_at: recordedAt / 1_000,
    requested_by: requestedBy,
    policy: { digest },
    context: { trails: trails.map(({ flow, trail, moment }) => ({ flow: flow.name, trail, moment_number: moment })) },
    ...(error === undefined ? {} : { error }),
  };
}
