import { routes } from '@assurance/contracts/http/routes/routes';
import { windowProblem } from '@assurance/contracts/http/routes/window';
import { behindHeader } from '@assurance/event-sourcing/projection/views';
import { answer, type CallOf, RefusalError, RequestCall, Route } from '@assurance/http';
import { pageRequestOf, QueriesController } from '@assurance/http/queries';
import { callerOf } from '@assurance/http/query-caller';
import { Controller } from '@nestjs/common';
import { ListAuditLog, ListEvents } from './audit-log.query';

/** The audit log and the event feed, which a SIEM reads. */
@Controller()
export class AuditLogController extends QueriesController {
  @Route(routes.listAuditLog)
  async log(@RequestCall() call: CallOf<typeof routes.listAuditLog>) {
    const { search, type, subject, actor, from, to, sort_direction } = call.query;
    const problem = windowProblem(from, to);
    if (problem !== null) throw new RefusalError({ kind: 'invalid', errors: { from: problem } });
    const filter = {
      search: search ?? '',
      types: type,
      kinds: subject,
      actors: actor,
      direction: sort_direction,
      from: from === null ? null : Math.ceil(from * 1_000),
      to: to === null ? null : Math.floor(to * 1_000),
    };
    const query = { search, type, subject, actor, from, to, sort_direction };
    const result = await this.queries.execute(
      new ListAuditLog({ caller: callerOf(call), filter, page: pageRequestOf(call.query), parameters: query }),
    );
    return answer(200, result.value, behindHeader(result));
  }

  @Route(routes.listEvents)
  async events(@RequestCall() call: CallOf<typeof routes.listEvents>) {
    const { cursor = null, limit, type } = call.query;
    const result = await this.queries.execute(new ListEvents({ caller: callerOf(call), cursor, types: type, limit }));
    return answer(200, result.value, behindHeader(result));
  }
}
