import { type PolicyRef, streams } from '@assurance/contracts-events';
import { no, ok, type Result } from '@assurance/kernel';
import { type FeatureRefusal, policy } from '@assurance/model';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../core/caller';
import { Register } from '../core/register';
import { Streams } from '../core/streams';

/** The policies of organizations, for commands that refer to them by name. */
@Injectable()
export class Policies {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
  ) {}

  /** In the order of the names; the first that names none is refused. */
  async named(org: Caller['org'], names: readonly string[]): Promise<Result<PolicyRef[], FeatureRefusal>> {
    const found: PolicyRef[] = [];
    for (const name of names) {
      const id = await this.register.find(org.id, 'policy', name);
      const known = id === null ? null : (await this.streams.load(policy, streams.policy(id))).state;
      if (known === null) return no({ kind: 'policy-unknown', org: org.name, name });
      found.push({ id: known.id, name: known.name });
    }
    return ok(found);
  }
}
