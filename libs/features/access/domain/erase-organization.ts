import type { OmittedParts, OrganizationErased } from '@assurance/contracts/access/events';
import { accepted, type Decision, noChange, refused } from '@assurance/kernel';
import type { Organization } from './organization';

export type EraseRefusal =
  | { readonly kind: 'no-organization' }
  | { readonly kind: 'personal-organization' }
  | { readonly kind: 'holds-in-force'; readonly count: number };

export interface EraseOrganization {
  /** Whether the erasure includes data that legal holds protect. */
  readonly despiteHolds: boolean;
  /** How many streams are removed next. */
  readonly removed: number;
  /** The parts that checkpoints may leave out; null while streams remain. */
  readonly leftOut: OmittedParts | null;
}

/**
 * Records a step of an erasure: its begin, the streams that are removed next, or that nothing is left.
 *
 * @param facts.holds how many legal holds are in force; they do not stop an erasure that has begun
 * @param facts.sign the signed record of the step
 */
export function decideEraseOrganization(
  state: Organization | null,
  { despiteHolds, removed, leftOut }: EraseOrganization,
  { holds, sign }: { readonly holds: number; readonly sign: () => OrganizationErased },
): Decision<OrganizationErased, EraseRefusal> {
  if (state === null) return refused({ kind: 'no-organization' });
  if (state.personal) return refused({ kind: 'personal-organization' });
  if (state.erased === undefined) {
    return holds > 0 && !despiteHolds ? refused({ kind: 'holds-in-force', count: holds }) : accepted(sign());
  }
  const omittedParts = state.erased.leftOut;
  const says =
    removed > 0 ||
    (leftOut !== null && (omittedParts?.parts !== leftOut.parts || omittedParts.digest !== leftOut.digest));
  return says ? accepted(sign()) : noChange;
}
