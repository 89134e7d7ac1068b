import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import type { SecretRef, Target } from '@assurance/contracts/notifications/events';
import { err, ok, type Result } from '@assurance/kernel';
import { secretsOf, type Signings } from '../domain/signing';
import { type TargetUpdate, type StoredTarget, type PlannedTarget, planTargets } from '../domain/targets';
import type { Secrets } from './secrets';

interface TargetsState {
  readonly targets: readonly Target[];
  readonly signings: Signings;
}

/** Converts given targets into targets for events, with sealed URLs. It serves one command, which may decide several times. */
export class TargetSealing {
  private readonly sealedSecrets = new Map<string, SecretRef>();

  constructor(
    private readonly secrets: Secrets,
    private readonly org: string,
    private readonly newId: () => string,
  ) {}

  /** @param presentTargets the existing targets */
  async sealTargets(
    updates: readonly TargetUpdate[],
    presentTargets: readonly Target[],
  ): Promise<Result<readonly Target[], FeatureRefusal>> {
    const storedTargets: StoredTarget[] = [];
    for (const target of presentTargets) storedTargets.push({ target, url: await this.urlOf(target) });
    const plannedTargets = planTargets(updates, storedTargets);
    const targets: Target[] = [];
    for (const [i, plan] of plannedTargets.entries()) {
      if (plan === null) {
        const text = 'Field required: there is no target whose URL it could keep';
        return err({ kind: 'invalid', errors: { [`targets.${i}.webhook`]: text } });
      }
      targets.push(await this.seal(plan));
    }
    return ok(targets);
  }

  /** Removes unneeded secrets: those of decisions that were not committed, and those that the state no longer refers to after the commit. */
  async removeUnused(before: TargetsState | null, after: TargetsState | null): Promise<void> {
    const neededIds = new Set((after === null ? [] : secretsOf(after)).map(({ id }) => id));
    const all = [...this.sealedSecrets.values(), ...(before === null ? [] : secretsOf(before))];
    await this.secrets.remove(all.filter(({ id }) => !neededIds.has(id)));
  }

  private async urlOf(target: Target): Promise<string | null> {
    return 'webhook' in target && target.webhook !== null ? this.secrets.open(target.webhook) : null;
  }

  private async seal({ id, target }: PlannedTarget): Promise<Target> {
    const targetWithId = { id: id ?? this.newId(), ...target };
    if (!('webhook' in targetWithId)) return targetWithId;
    const { webhook } = targetWithId;
    return {
      ...targetWithId,
      webhook: webhook === null || 'id' in webhook ? webhook : await this.ref(webhook.url),
    } as Target;
  }

  private async ref(url: string): Promise<SecretRef> {
    const ref = this.sealedSecrets.get(url) ?? (await this.secrets.store(this.org, url));
    this.sealedSecrets.set(url, ref);
    return ref;
  }
}
