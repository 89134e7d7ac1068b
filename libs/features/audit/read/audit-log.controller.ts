import { routes } from '@assurance/contracts/http/routes/routes';
import { type CallOf, RequestCall, Route } from '@assurance/http';
import { millisecondsBetween, pageRequestOf, QueriesController } from '@assurance/http/queries';
import { callerOf } from '@assurance/http/query-caller';
import { Controller } from '@nestjs/common';
import { ListAuditLog, ListEvents } from './audit-log.query';

/** The audit log and the event feed, which a SIEM reads. */
@Controller()
export class AuditLogController extends QueriesController {
  @Route(routes.listAuditLog)
  async log(@RequestCall() call: CallOf<typeof routes.listAuditLog>) {
    const { search, type, subject, actor, from, to, sort_direction } = call.query;
    const filter = {
      search: search ?? '',
      types: type,
      kinds: subject,
      actors: actor,
      direction: sort_direction,
      ...millisecondsBetween(from, to, 'from'),
    };
    const query = { search, type, subject, actor, from, to, sort_direction };
    return this.answerView(
      new ListAuditLog({ caller: callerOf(call), filter, page: pageRequestOf(call.query), parameters: query }),
    );
  }

  @Route(routes.listEvents)
  async events(@RequestCall() call: CallOf<typeof routes.listEvents>) {
    const { cursor = null, limit, type } = call.query;
    return this.answerView(new ListEvents({ caller: callerOf(call), cursor, types: type, limit }));
  }
}
