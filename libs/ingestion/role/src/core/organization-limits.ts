import type { AggregateState } from '@assurance/contracts-events';
import { PORTS, type Ports, RefusalError, type Settings, SETTINGS } from '@assurance/http';
import { attestationType, control, environment, flow, policy, repo } from '@assurance/model';
import type { CollectionDefinition } from '@assurance/storage-ports';
import { Inject, Injectable } from '@nestjs/common';

const STATES = {
  attestationTypes: attestationType.states,
  controls: control.states,
  environments: environment.states,
  flows: flow.states,
  policies: policy.states,
  repositories: repo.states,
} as const;

/** Whether an organization may have one more: what lists with a filter look at is bounded. */
@Injectable()
export class OrganizationLimits {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * To be asked where something is to be made, and only there: it counts. Several that are made at the same moment may end a handful above.
   *
   * @throws RefusalError `too-many` when there is none
   */
  async checkOneMore(org: string, things: keyof typeof STATES): Promise<void> {
    const limit = this.settings.limits.perOrganization[things];
    const states: CollectionDefinition<AggregateState<object>> = STATES[things];
    if ((await this.ports.documents.collection(states).count({ org })) >= limit) {
      throw new RefusalError({ kind: 'too-many', things, limit });
    }
  }
}
