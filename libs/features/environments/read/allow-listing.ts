import { actorNames } from '@assurance/access/lookups/actors';
import { allowed, allowedId, type Environment } from '@assurance/contracts/environments/documents';
import type { RunningArtifact } from '@assurance/contracts/environments/events';
import type { AllowListing } from '@assurance/contracts/policies/answers/decision';
import type { Allowance } from '@assurance/contracts/policies/events';
import { mapInSlices, Slices } from '@assurance/kernel';
import { type Documents, getAll } from '@assurance/storage-ports';
import { allowanceOf } from '../domain/allow-list';

/** The entry of the allow-list by which an artifact counts as compliant; null without one. */
export type AllowListingLookup = (artifact: Pick<RunningArtifact, 'fingerprint' | 'verdict'>) => AllowListing | null;

/**
 * The entries that verdicts of a snapshot name. A snapshot keeps them as they were when it was recorded. An entry of the newest snapshot may have
 * been revised since, which makes no snapshot: its present reason and end are shown.
 *
 * @param artifacts of the snapshot, in lists
 * @param isNewest whether no snapshot followed
 */
export async function listingsOf(
  documents: Documents,
  { id, type }: Pick<Environment, 'id' | 'type'>,
  artifacts: readonly (readonly Pick<RunningArtifact, 'fingerprint' | 'verdict'>[])[],
  isNewest: boolean,
): Promise<AllowListingLookup> {
  const allowances = new Map<string, Allowance>();
  const slices = new Slices();
  for (const group of artifacts) {
    await mapInSlices(
      group,
      ({ fingerprint, verdict }) => {
        if (verdict?.allowance !== undefined) allowances.set(fingerprint, verdict.allowance);
      },
      slices,
    );
  }
  if (isNewest && type !== 'logical') {
    const ids = [...allowances.keys()].map((fingerprint) => allowedId(id, fingerprint));
    const entries = await getAll(documents.collection(allowed), ids);
    for (const entry of entries.values()) allowances.set(entry.fingerprint, allowanceOf(entry));
  }
  const actors = [...allowances.values()].map(({ by }) => by);
  const nameOf = await actorNames(documents, actors);
  return ({ fingerprint, verdict }) => {
    const allowance = verdict?.allowance === undefined ? undefined : allowances.get(fingerprint);
    return allowance === undefined ? null : listingAnswer(fingerprint, allowance, nameOf(allowance.by));
  };
}

/** @param name of who allowed it */
export function listingAnswer(
  fingerprint: string,
  { environment, by, at, description, expiresAt }: Allowance,
  name: string,
): AllowListing {
  return {
    allowlist_id: allowedId(environment, fingerprint),
    allowed_by_user_id: by,
    user_name: name,
    timestamp: at / 1000,
    description,
    expires_at: expiresAt === undefined ? null : expiresAt / 1000,
  };
}
