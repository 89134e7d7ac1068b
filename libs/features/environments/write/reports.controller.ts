import type { EnvironmentType } from '@assurance/contracts/environments/events';
import { routes } from '@assurance/contracts/http/routes/routes';
import { type Call, type CallOf, RequestCall, Route, unwrap } from '@assurance/http';
import { callerOf } from '@assurance/http/command-caller';
import { CommandsController } from '@assurance/http/commands';
import { Controller } from '@nestjs/common';
import type { ReportItem } from '../domain/difference';
import { ReportRunning } from './report-running';
import { reportAnswer } from './report-shortcut';

/** Reports of what environments run, of every kind (specification 4.3). */
@Controller()
export class ReportsController extends CommandsController {
  @Route(routes.reportDocker)
  docker(@RequestCall() call: CallOf<typeof routes.reportDocker>) {
    return this.report(call, 'docker');
  }

  @Route(routes.reportServer)
  server(@RequestCall() call: CallOf<typeof routes.reportServer>) {
    return this.report(call, 'server');
  }

  @Route(routes.reportK8s)
  k8s(@RequestCall() call: CallOf<typeof routes.reportK8s>) {
    return this.report(call, 'K8S');
  }

  @Route(routes.reportEcs)
  ecs(@RequestCall() call: CallOf<typeof routes.reportEcs>) {
    return this.report(call, 'ECS');
  }

  @Route(routes.reportS3)
  s3(@RequestCall() call: CallOf<typeof routes.reportS3>) {
    return this.report(call, 'S3');
  }

  @Route(routes.reportLambda)
  lambda(@RequestCall() call: CallOf<typeof routes.reportLambda>) {
    return this.report(call, 'lambda');
  }

  @Route(routes.reportAzureApps)
  azureApps(@RequestCall() call: CallOf<typeof routes.reportAzureApps>) {
    return this.report(call, 'azure-apps');
  }

  @Route(routes.reportCloudRun)
  cloudRun(@RequestCall() call: CallOf<typeof routes.reportCloudRun>) {
    return this.report(call, 'cloud-run');
  }

  private async report(
    call: Call<
      { readonly artifacts: readonly ReportItem[] },
      { readonly observed_at: number | null },
      { readonly env: string }
    >,
    type: EnvironmentType,
  ) {
    const { principal, params, query, body, bodyDigest } = call;
    const observed =
      query.observed_at === null ? null : { at: Math.round(query.observed_at * 1000), by: principal.role };
    const report = new ReportRunning(callerOf(call), params.env, type, body.artifacts, bodyDigest, observed);
    return reportAnswer(unwrap(await this.commands.execute(report)));
  }
}
