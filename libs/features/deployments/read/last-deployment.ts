import { type ViewAnswer, Views } from '@assurance/event-sourcing/projection/views';
import type { LastDeployment } from '@assurance/flows/read/last-deployment';
import type { Caller } from '@assurance/http/query-caller';
import { Injectable } from '@nestjs/common';
import { deploymentsView } from './deployments/follow';
import { lastDeploymentOf } from './deployments/list';

/** Reads from the deployments view when flows were last deployed. */
@Injectable()
export class LastDeploymentInView implements LastDeployment {
  constructor(private readonly views: Views) {}

  of(caller: Caller, flow: string): Promise<ViewAnswer<number | null>> {
    return this.views.read(deploymentsView, caller, (documents) => lastDeploymentOf(documents, flow));
  }
}
