import { loadNewestByName, type Stores } from '@assurance/access/lookups/named';
import type { Organization } from '@assurance/access/lookups/organization';
import type { AttestationType } from '@assurance/contracts/evidence/documents';
import { err, ok } from '@assurance/kernel';
import { attestationType } from '../domain/attestation-type';

/** Finds a custom attestation type by its name, even if it is archived. */
export async function findAttestationType(stores: Stores, org: Organization, name: string) {
  const state = await loadNewestByName(stores, attestationType, org.id, name);
  if (state === null) return err({ kind: 'attestation-type-unknown', org: org.name, name } as const);
  return ok<AttestationType>(state);
}
