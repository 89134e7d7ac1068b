import type { SecretRef, SigningSecretIssued, Target } from '@assurance/contracts/notifications/events';

/** The secrets that sign the messages of a target. */
export interface Signing {
  readonly secret: SecretRef;
  /** The previous secret and the time until which it also signs (integer milliseconds); null if there is none. */
  readonly previous: { readonly secret: SecretRef; readonly until: number } | null;
}

/** By target id. The messages of a target without an entry are not signed. */
export type Signings = Readonly<Record<string, Signing>>;

export function signingsAfter(
  signings: Signings,
  { target, secret, previousUntil }: SigningSecretIssued['data'],
): Signings {
  const before = signings[target];
  const previous =
    before === undefined || previousUntil === null ? null : { secret: before.secret, until: previousUntil };
  return { ...signings, [target]: { secret, previous } };
}

/** The signings of targets that still exist. */
export function signingsOf(targets: readonly { readonly id: string }[], signings: Signings): Signings {
  const targetIds = new Set(targets.map(({ id }) => id));
  return Object.fromEntries(Object.entries(signings).filter(([id]) => targetIds.has(id)));
}

/** All secrets that a list of targets and their signatures use. */
export function secretsOf({
  targets,
  signings,
}: {
  readonly targets: readonly Target[];
  readonly signings: Signings;
}): SecretRef[] {
  return [
    ...targets.flatMap((target) => ('webhook' in target && target.webhook !== null ? target.webhook : [])),
    ...Object.values(signings).flatMap(({ secret, previous }) =>
      previous === null ? [secret] : [secret, previous.secret],
    ),
  ];
}
