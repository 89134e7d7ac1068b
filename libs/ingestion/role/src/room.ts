import type { Head } from '@assurance/contracts-events';
import { type Limits, RefusalError } from '@assurance/http';
import { attestationType, control, environment, flow, policy, repo } from '@assurance/model';
import type { CollectionDefinition, Documents } from '@assurance/storage-ports';

const HEADS = {
  attestationTypes: attestationType.heads,
  controls: control.heads,
  environments: environment.heads,
  flows: flow.heads,
  policies: policy.heads,
  repositories: repo.heads,
} as const;

/** Whether an organization may have one more: what lists with a filter look at is bounded. */
export class Room {
  constructor(
    private readonly documents: Documents,
    private readonly limits: Limits['perOrganization'],
  ) {}

  /**
   * To be asked where something is to be made, and only there: it counts. Several that are made at the same moment may end a handful above.
   *
   * @throws RefusalError `too-many` when there is none
   */
  async forOneMore(org: string, things: keyof typeof HEADS): Promise<void> {
    const limit = this.limits[things];
    const heads: CollectionDefinition<Head<object>> = HEADS[things];
    if ((await this.documents.collection(heads).count({ org })) >= limit) {
      throw new RefusalError({ kind: 'too-many', things, limit });
    }
  }
}
