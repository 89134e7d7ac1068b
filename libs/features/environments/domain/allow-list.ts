import type { AllowedDocument, Environment } from '@assurance/contracts/environments/documents';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import type {
  Allowance,
  AllowanceEnded,
  AllowanceEnding,
  AllowanceRevised,
  ArtifactAllowed,
} from '@assurance/contracts/policies/events';
import { accepted, changedOf, type Decision, noChange, refused } from '@assurance/kernel';

/** How long before the end of an entry the service warns (milliseconds). An entry that is made later than that gets no warning. */
export const WARNING_MS = 24 * 3_600_000;

/** Allows a fingerprint. An omitted field keeps its value. In a new entry it is empty, or means no end. */
export interface AllowArtifact extends Partial<Pick<ArtifactAllowed['data'], 'name' | 'description'>> {
  readonly fingerprint: string;
  /** Integer milliseconds; null: without an end. */
  readonly expiresAt?: number | null;
}

type Entry = Pick<AllowedDocument, 'name' | 'description' | 'expiresAt' | 'due' | 'at' | 'by'>;

/** Whether an entry counts. @param at integer milliseconds */
export function isInForce({ expiresAt }: Pick<AllowedDocument, 'expiresAt'>, at: number): boolean {
  return expiresAt === undefined || expiresAt > at;
}

/** The fields of an entry that verdicts store. */
export function allowanceOf({ environment, by, at, description, expiresAt }: Omit<AllowedDocument, 'due'>): Allowance {
  return { environment, by, at, description, ...endOf(expiresAt ?? null) };
}

/**
 * When the service has to act on the end of an entry: first to warn, then to record the end.
 *
 * @param at when it was allowed or revised, integer milliseconds
 */
export function firstDue(expiresAt: number, at: number): number {
  const warning = expiresAt - WARNING_MS;
  return warning > at ? warning : expiresAt;
}

/**
 * Puts a fingerprint on the allow-list, which makes its artifacts compliant. For an existing entry, it changes the name, reason or end. An
 * entry that has ended counts as missing.
 *
 * @param facts.entry its entry; null where there is none
 * @param facts.at integer milliseconds
 */
export function decideAllowArtifact(
  _state: Environment,
  { fingerprint, name, description, expiresAt }: AllowArtifact,
  { entry, at }: { readonly entry: Entry | null; readonly at: number },
): Decision<ArtifactAllowed | AllowanceRevised, FeatureRefusal<'allowance-expired'>> {
  if (typeof expiresAt === 'number' && expiresAt <= at)
    return refused({ kind: 'allowance-expired', expiresAt: expiresAt / 1_000 });
  if (entry === null || !isInForce(entry, at)) {
    const data = { fingerprint, name: name ?? '', description: description ?? '', ...endOf(expiresAt ?? null) };
    return accepted({ type: 'ArtifactAllowed', version: 1, data });
  }
  const before = { name: entry.name, description: entry.description, expiresAt: entry.expiresAt ?? null };
  const changes = changedOf<typeof before>(before, { name, description, expiresAt });
  if (changes === null) return noChange;
  const { expiresAt: end, ...after } = { ...before, ...changes };
  return accepted({ type: 'AllowanceRevised', version: 1, data: { fingerprint, ...after, ...endOf(end) } });
}

function endOf(expiresAt: number | null) {
  return expiresAt === null ? {} : { expiresAt };
}

/**
 * Records that the end of an entry is near, and later that it has come. It changes nothing if that is recorded already, if it is too early,
 * or if the entry was revised meanwhile. Archived environments send no warning.
 *
 * @param facts.entry its entry; null where there is none
 * @param facts.at integer milliseconds
 */
export function decideEndAllowance(
  { archived }: Environment,
  { fingerprint }: { readonly fingerprint: string },
  { entry, at }: { readonly entry: Entry | null; readonly at: number },
): Decision<AllowanceEnding | AllowanceEnded, never> {
  if (entry?.due === undefined || entry.expiresAt === undefined || entry.due > at) return noChange;
  const { name, description, expiresAt, at: allowedAt, by: allowedBy } = entry;
  const data = { fingerprint, name, description, expiresAt, allowedAt, allowedBy };
  if (expiresAt <= at) return accepted({ type: 'AllowanceEnded', version: 1, data });
  return accepted({ type: 'AllowanceEnding', version: 1, data: archived ? { ...data, untold: true } : data });
}
