import type { RetentionAnswer } from '@assurance/contracts-http';
import { queryOf } from '@assurance/http';
import { retentionAnswer } from '@assurance/projection-views';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../caller';
import { ReadingHandler } from '../queries';

/** The retention rules and legal holds of the organization. */
export class GetRetention extends queryOf<{ caller: Caller }, RetentionAnswer>() {}

@QueryHandler(GetRetention)
export class GetRetentionHandler extends ReadingHandler implements IQueryHandler<GetRetention> {
  execute({ caller: { org } }: GetRetention): Promise<RetentionAnswer> {
    return retentionAnswer(this.ports.documents, org.id, this.lookups.actors());
  }
}
