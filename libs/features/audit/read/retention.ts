import { actorsOf } from '@assurance/access/lookups/actors';
import type { RetentionAnswer } from '@assurance/contracts/audit/answers/retention';
import { queryOf } from '@assurance/event-sourcing/message';
import { retentionAnswer } from '@assurance/evidence/read/retention-answer';
import { ReadingHandler } from '@assurance/http/queries';
import type { Caller } from '@assurance/http/query-caller';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

/** The retention rules and legal holds of the organization. */
export class GetRetention extends queryOf<{ caller: Caller }, RetentionAnswer>() {}

@QueryHandler(GetRetention)
export class GetRetentionHandler extends ReadingHandler implements IQueryHandler<GetRetention> {
  execute({ caller: { org } }: GetRetention): Promise<RetentionAnswer> {
    return retentionAnswer(this.ports.documents, org.id, actorsOf(this.ports.documents));
  }
}
