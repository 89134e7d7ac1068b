import { plainDigits } from '@assurance/contracts/http/patterns';
import { routes } from '@assurance/contracts/http/routes/routes';
import { bucketsOf, bucketsProblem } from '@assurance/deployments/read/buckets';
import { CLOCK, type Clock } from '@assurance/event-sourcing/tokens';
import { type CallOf, RefusalError, RequestCall, Route } from '@assurance/http';
import { pageRequestOf, QueriesController, requestedWindow } from '@assurance/http/queries';
import { callerOf } from '@assurance/http/query-caller';
import { Controller, Inject } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ListArtifactVulnerabilities } from './artifact-vulnerabilities';
import { GetEnvironmentExposure } from './environment-exposure';
import { GetVulnerability, ListVulnerabilities } from './vulnerabilities';

@Controller()
export class VulnerabilityQueriesController extends QueriesController {
  constructor(
    queries: QueryBus,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super(queries);
  }

  @Route(routes.listVulnerabilities)
  list(@RequestCall() call: CallOf<typeof routes.listVulnerabilities>) {
    const { min_severity: minSeverity, environment } = call.query;
    const page = pageRequestOf(call.query);
    return this.answerViewQuery(new ListVulnerabilities({ caller: callerOf(call), minSeverity, environment, page }));
  }

  @Route(routes.getEnvironmentExposure)
  exposure(@RequestCall() call: CallOf<typeof routes.getEnvironmentExposure>) {
    const { time_zone: timeZone = 'UTC' } = call.query;
    const now = this.clock.now();
    const window = requestedWindow(call.query, now);
    const problem = bucketsProblem(window, timeZone);
    if (problem !== null) throw new RefusalError({ kind: 'invalid', errors: problem });
    // Nothing is known about days in the future.
    const days = bucketsOf(window, 'day', timeZone).filter(({ from }) => from * 1_000 <= now);
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
