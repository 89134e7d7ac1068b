import { actorsOf } from '@assurance/access/lookups/actors';
import type { AllowedAnswer, AllowlistPage } from '@assurance/contracts/environments/answers/allowlist';
import { WHOLE_LIST_MAX } from '@assurance/contracts/environments/answers/catalogue';
import type { PageEnds } from '@assurance/event-sourcing/projection/cursor-page';
import type { PageRequest } from '@assurance/event-sourcing/projection/listing';
import type { Refusal } from '@assurance/http';
import { queryBy, ReadingHandler } from '@assurance/http/queries';
import { ok, type Result } from '@assurance/kernel';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { findEnvironment } from '../lookups/environments';
import { listAllAllowed, listAllowed } from './environments/allowlist';

/** One page of the artifacts that are allowed in an environment. */
export class ListAllowedArtifacts extends queryBy<
  { environment: string; page: PageRequest },
  Result<{ page: AllowlistPage; ends: PageEnds }, Refusal>
>() {}

@QueryHandler(ListAllowedArtifacts)
export class ListAllowedArtifactsHandler extends ReadingHandler implements IQueryHandler<ListAllowedArtifacts> {
  async execute({ caller: { org }, environment, page }: ListAllowedArtifacts) {
    const result = await findEnvironment(this.ports, org, environment);
    if (!result.ok) return result;
    return ok(await listAllowed(this.ports.documents, result.value.id, page, actorsOf(this.ports.documents)));
  }
}

/** The artifacts that are allowed in the environments of an organization. */
export class ListAllAllowedArtifacts extends queryBy<
  object,
  { readonly entries: readonly AllowedAnswer[]; readonly count: number }
>() {}

@QueryHandler(ListAllAllowedArtifacts)
export class ListAllAllowedArtifactsHandler extends ReadingHandler implements IQueryHandler<ListAllAllowedArtifacts> {
  async execute({ caller: { org } }: ListAllAllowedArtifacts) {
    return listAllAllowed(this.ports.documents, org.id, WHOLE_LIST_MAX, actorsOf(this.ports.documents));
  }
}
