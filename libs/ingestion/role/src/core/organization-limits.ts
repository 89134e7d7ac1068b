import type { AggregateState } from '@assurance/contracts-events';
import { attestationType, control, environment, flow, policy, Refused, repo } from '@assurance/model';
import type { CollectionDefinition, Engines } from '@assurance/storage-ports';

const STATES = {
  attestationTypes: attestationType.states,
  controls: control.states,
  environments: environment.states,
  flows: flow.states,
  policies: policy.states,
  repositories: repo.states,
} as const;

/** Whether an organization may have one more aggregate of a kind: lists with a filter read all of them. */
export class OrganizationLimits {
  constructor(
    private readonly ports: Pick<Engines, 'documents'>,
    private readonly limits: Readonly<Record<keyof typeof STATES, number>>,
  ) {}

  /**
   * Counts, so ask only before one is created. Creations at the same moment may exceed the limit by a few.
   *
   * @throws Refused `too-many` at the limit
   */
  async checkOneMore(org: string, things: keyof typeof STATES): Promise<void> {
    const limit = this.limits[things];
    const states: CollectionDefinition<AggregateState<object>> = STATES[things];
    if ((await this.ports.documents.collection(states).count({ org })) >= limit) {
      throw new Refused({ kind: 'too-many', things, limit });
    }
  }
}
