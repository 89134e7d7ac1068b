import { environmentStates } from '@assurance/contracts/environments/documents';
import type { AggregateState } from '@assurance/contracts/events/aggregate';
import { attestationTypeStates } from '@assurance/contracts/evidence/documents';
import { flowStates, repoStates } from '@assurance/contracts/flows/documents';
import { Refused } from '@assurance/contracts/http/refusals';
import { controlStates, policyStates } from '@assurance/contracts/policies/documents';
import type { CollectionDefinition, Engines } from '@assurance/storage-ports';

const STATES = {
  attestationTypes: attestationTypeStates,
  controls: controlStates,
  environments: environmentStates,
  flows: flowStates,
  policies: policyStates,
  repositories: repoStates,
} as const;

/** Limits the aggregates of each kind in an organization, because lists with a filter read all of them. */
export class OrganizationLimits {
  constructor(
    private readonly ports: Pick<Engines, 'documents'>,
    private readonly limits: Readonly<Record<keyof typeof STATES, number>>,
  ) {}

  /**
   * Checks that the organization may have one more. It counts all, so call it only before one is created. Concurrent creations may exceed the limit
   * by a few.
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
