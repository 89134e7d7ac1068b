import type { RetentionAnswer } from '@assurance/contracts-http';
import { PORTS, type Ports, queryOf } from '@assurance/http';
import { retentionAnswer } from '@assurance/projection-views';
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../caller';
import { Lookups } from '../views/lookups';

/** The retention rules and legal holds of the organization. */
export class GetRetention extends queryOf<{ caller: Caller }, RetentionAnswer>() {}

@QueryHandler(GetRetention)
export class GetRetentionHandler implements IQueryHandler<GetRetention> {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    private readonly lookups: Lookups,
  ) {}

  execute({ caller: { org } }: GetRetention): Promise<RetentionAnswer> {
    return retentionAnswer(this.ports.documents, org.id, this.lookups.actors());
  }
}
