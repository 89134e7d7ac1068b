import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import type { SecretRef, SigningSecretIssued, Target } from '@assurance/contracts/notifications/events';
import { accepted, type Decision, refused } from '@assurance/kernel';
import type { Signings } from './signing';

/** There is no such target, or messages of its kind are not signed. */
export type TargetUnsigned = FeatureRefusal<'target-unsigned'>;

/** How long the previous secret also signs messages: the default, and the longest time (seconds). */
export const GRACE_S = 24 * 3600;
export const GRACE_MAX_S = 30 * 24 * 3600;

export interface IssueSigningSecret {
  /** Id of the target. */
  readonly target: string;
  /** How long the previous secret also signs, in seconds. */
  readonly grace: number;
}

/**
 * Gives a webhook target a secret that signs its messages, or replaces the present secret.
 *
 * @param facts.at integer milliseconds
 */
export function decideIssueSigningSecret(
  { targets, signings }: { readonly targets: readonly Target[]; readonly signings: Signings },
  { target, grace }: IssueSigningSecret,
  { secret, at }: { readonly secret: SecretRef; readonly at: number },
): Decision<SigningSecretIssued, TargetUnsigned> {
  const results = targets.find(({ id }) => id === target);
  if (results?.type !== 'WEBHOOK') return refused({ kind: 'target-unsigned', target });
  const previousUntil = signings[target] === undefined || grace === 0 ? null : at + grace * 1_000;
  return accepted({ type: 'SigningSecretIssued', version: 1, data: { target, secret, previousUntil } });
}
