import type { ViewAnswer } from '@assurance/event-sourcing/projection/views';
import type { Caller } from '@assurance/http/query-caller';

/** A port that the feature `deployments` provides: `@Inject(LAST_DEPLOYMENT) lastDeployment: LastDeployment`. */
export const LAST_DEPLOYMENT = Symbol('last-deployment');

export interface LastDeployment {
  /** @returns epoch seconds; null if no artifact of the flow was ever deployed */
  of(caller: Caller, flow: string): Promise<ViewAnswer<number | null>>;
}
