import type { EnvironmentType } from '@assurance/contracts/environments/events';
import { routes } from '@assurance/contracts/http/routes/routes';
import { type Call, type CallOf, RequestCall, Route, unwrap } from '@assurance/http';
import { callerOf } from '@assurance/http/command-caller';
import { CommandsController } from '@assurance/http/commands';
import { Controller } from '@nestjs/common';
import type { ReportItem } from '../domain/difference';
import { appItem, cloudRunItem, podItem, taskItem } from './report-items';
import { ReportRunning } from './report-running';
import { reportAnswer } from './report-shortcut';

/** Reports of what environments run, of every kind (specification 4.3). */
@Controller()
export class ReportsController extends CommandsController {
  @Route(routes.reportDocker)
  docker(@RequestCall() call: CallOf<typeof routes.reportDocker>) {
    return this.report(call, 'docker', call.body.artifacts);
  }

  @Route(routes.reportServer)
  server(@RequestCall() call: CallOf<typeof routes.reportServer>) {
    return this.report(call, 'server', call.body.artifacts);
  }

  @Route(routes.reportK8s)
  k8s(@RequestCall() call: CallOf<typeof routes.reportK8s>) {
    return this.report(call, 'K8S', call.body.artifacts.map(podItem));
  }

  @Route(routes.reportEcs)
  ecs(@RequestCall() call: CallOf<typeof routes.reportEcs>) {
    return this.report(call, 'ECS', call.body.artifacts.map(taskItem));
  }

  @Route(routes.reportS3)
  s3(@RequestCall() call: CallOf<typeof routes.reportS3>) {
    return this.report(call, 'S3', call.body.artifacts);
  }

  @Route(routes.reportLambda)
  lambda(@RequestCall() call: CallOf<typeof routes.reportLambda>) {
    return this.report(call, 'lambda', call.body.artifacts);
  }

  @Route(routes.reportAzureApps)
  azureApps(@RequestCall() call: CallOf<typeof routes.reportAzureApps>) {
    return this.report(call, 'azure-apps', call.body.artifacts.map(appItem));
  }

  @Route(routes.reportCloudRun)
  cloudRun(@RequestCall() call: CallOf<typeof routes.reportCloudRun>) {
    return this.report(call, 'cloud-run', call.body.artifacts.map(cloudRunItem));
  }

  private async report(
    call: Call<unknown, { readonly observed_at: number | null }, { readonly env: string }>,
    type: EnvironmentType,
    items: readonly ReportItem[],
  ) {
    const { principal, params, query, bodyDigest } = call;
    const observed =
      query.observed_at === null ? null : { at: Math.round(query.observed_at * 1000), by: principal.role };
    const report = new ReportRunning(callerOf(call), params.env, type, items, bodyDigest, observed);
    return reportAnswer(unwrap(await this.commands.execute(report)));
  }
}
