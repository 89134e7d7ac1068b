import { actorsOf } from '@assurance/access/lookups/actors';
import type { AllowlistPage } from '@assurance/contracts/environments/answers/allowlist';
import type { PageEnds } from '@assurance/event-sourcing/projection/beside';
import type { PageRequest } from '@assurance/event-sourcing/projection/listing';
import type { Refusal } from '@assurance/http';
import { queryBy, ReadingHandler } from '@assurance/http/queries';
import { ok, type Result } from '@assurance/kernel';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { findEnvironment } from '../lookups/environments';
import { listAllowed } from './environments/allowlist';

/** One page of the artifacts that are allowed in an environment. */
export class ListAllowed extends queryBy<
  { environment: string; page: PageRequest },
  Result<{ page: AllowlistPage; ends: PageEnds }, Refusal>
>() {}

@QueryHandler(ListAllowed)
export class ListAllowedHandler extends ReadingHandler implements IQueryHandler<ListAllowed> {
  async execute({
    caller: { org },
    environment,
    page,
  }: ListAllowed): Promise<Result<{ page: AllowlistPage; ends: PageEnds }, Refusal>> {
    const found = await findEnvironment(this.ports, org, environment);
    if (!found.ok) return found;
    return ok(await listAllowed(this.ports.documents, found.value.id, page, actorsOf(this.ports.documents)));
  }
}
