import type { AggregateState } from '@assurance/contracts-events';
import { type Limits, RefusalError } from '@assurance/http';
import { attestationType, control, environment, flow, policy, repo } from '@assurance/model';
import type { CollectionDefinition, Documents } from '@assurance/storage-ports';

const STATES = {
  attestationTypes: attestationType.states,
  controls: control.states,
  environments: environment.states,
  flows: flow.states,
  policies: policy.states,
  repositories: repo.states,
} as const;

/** Whether an organization may have one more: what lists with a filter look at is bounded. */
export class OrganizationLimits {
  constructor(
    private readonly documents: Documents,
    private readonly limits: Limits['perOrganization'],
  ) {}

  /**
   * To be asked where something is to be made, and only there: it counts. Several that are made at the same moment may end a handful above.
   *
   * @throws RefusalError `too-many` when there is none
   */
  async checkOneMore(org: string, things: keyof typeof STATES): Promise<void> {
    const limit = this.limits[things];
    const states: CollectionDefinition<AggregateState<object>> = STATES[things];
    if ((await this.documents.collection(states).count({ org })) >= limit) {
      throw new RefusalError({ kind: 'too-many', things, limit });
    }
  }
}
