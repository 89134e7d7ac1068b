import { plainDigits } from '@assurance/contracts/http/patterns';
import { routes } from '@assurance/contracts/http/routes/routes';
import { requestedBuckets } from '@assurance/deployments/read/buckets';
import { type CallOf, RequestCall, Route } from '@assurance/http';
import { pageRequestOf, QueriesController } from '@assurance/http/queries';
import { callerOf } from '@assurance/http/query-caller';
import { Controller } from '@nestjs/common';
import { ListArtifactVulnerabilities } from './artifact-vulnerabilities';
import { GetEnvironmentExposure } from './environment-exposure';
import { GetVulnerability, ListVulnerabilities } from './vulnerabilities';

@Controller()
export class VulnerabilityQueriesController extends QueriesController {
  @Route(routes.listVulnerabilities)
  list(@RequestCall() call: CallOf<typeof routes.listVulnerabilities>) {
    const { min_severity: minSeverity, environment } = call.query;
    const page = pageRequestOf(call.query);
    return this.answerViewQuery(new ListVulnerabilities({ caller: callerOf(call), minSeverity, environment, page }));
  }

  @Route(routes.getEnvironmentExposure)
  exposure(@RequestCall() call: CallOf<typeof routes.getEnvironmentExposure>) {
    const { time_zone: timeZone = 'UTC' } = call.query;
    const all = requestedBuckets(this.window(call.query), 'day', timeZone);
    // Nothing is known about days in the future.
    const days = all.filter(({ from }) => from * 1_000 <= this.clock.now());
    return this.answerViewQuery(
      new GetEnvironmentExposure({ caller: callerOf(call), environment: call.params.env, timeZone, days }),
    );
  }

  @Route(routes.listArtifactVulnerabilities)
  ofArtifact(@RequestCall() call: CallOf<typeof routes.listArtifactVulnerabilities>) {
    const fingerprint = plainDigits(call.params.fingerprint);
    return this.answerViewQuery(
      new ListArtifactVulnerabilities({ caller: callerOf(call), fingerprint, page: pageRequestOf(call.query) }),
    );
  }

  @Route(routes.getVulnerability)
  getVulnerability(@RequestCall() call: CallOf<typeof routes.getVulnerability>) {
    return this.answerViewQuery(
      new GetVulnerability({ caller: callerOf(call), id: call.params.id, page: pageRequestOf(call.query) }),
    );
  }
}
