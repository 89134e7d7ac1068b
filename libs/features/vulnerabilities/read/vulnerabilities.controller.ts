import { routes } from '@assurance/contracts/http/routes/routes';
import { type CallOf, Route, TheCall } from '@assurance/http';
import { pageRequestOf, QueriesController } from '@assurance/http/queries';
import { callerOf } from '@assurance/http/query-caller';
import { Controller } from '@nestjs/common';
import { GetVulnerability, ListVulnerabilities } from './vulnerabilities';

@Controller()
export class VulnerabilityQueriesController extends QueriesController {
  @Route(routes.listVulnerabilities)
  list(@TheCall() call: CallOf<typeof routes.listVulnerabilities>) {
    const { min_severity: minSeverity, environment } = call.query;
    const page = pageRequestOf(call.query);
    return this.seen(new ListVulnerabilities({ caller: callerOf(call), minSeverity, environment, page }));
  }

  @Route(routes.getVulnerability)
  one(@TheCall() call: CallOf<typeof routes.getVulnerability>) {
    return this.seen(
      new GetVulnerability({ caller: callerOf(call), id: call.params.id, page: pageRequestOf(call.query) }),
    );
  }
}
