import { orderBy } from '@assurance/contracts/events/aggregate';
import type { PageOfDocuments } from '@assurance/event-sourcing/projection/cursor-page';
import { pageOf, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import { type AttestationDocument, attestations } from '@assurance/flows/domain/attestation';
import type { Documents } from '@assurance/storage-ports';

export interface DecisionFilter {
  /** Null: all. */
  readonly compliant: boolean | null;
  /** Integer milliseconds, both ends included; null for open. */
  readonly from: number | null;
  readonly to: number | null;
  /** Ids of flows; empty for all. */
  readonly flows: readonly string[];
}

/** One page of the decisions on a control by their time, and how many there are. */
export function listDecisions(
  documents: Documents,
  org: string,
  identifier: string,
  { compliant, from, to, flows }: DecisionFilter,
  page: PageRequest,
  direction: 'asc' | 'desc',
): Promise<PageOfDocuments<AttestationDocument> & { readonly count: number }> {
  const isFiltered = compliant !== null || from !== null || to !== null || flows.length > 0;
  const matches = (attestation: AttestationDocument) =>
    (compliant === null || attestation.compliant === compliant) &&
    (from === null || attestation.at >= from) &&
    (to === null || attestation.at <= to) &&
    (flows.length === 0 || flows.includes(attestation.flow));
  return pageOf(
    documents.collection(attestations),
    {
      where: { org, 'control.identifier': identifier },
      order: direction === 'desc' ? orderBy('-at', '-id') : orderBy('at', 'id'),
      matches: isFiltered ? matches : null,
    },
    page,
  );
}
