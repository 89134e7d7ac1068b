import type { Flow } from '@assurance/contracts/flows/documents';
import type { Documents } from '@assurance/storage-ports';
import type { ProvenanceDocument } from '../../domain/provenance';
import type { TrailState } from '../../domain/requirements';
import { evidenceOf } from '../../lookups/evidence';

/** Reports of artifacts with what lists show of each. */
export interface Judged {
  readonly report: ProvenanceDocument;
  /** As it is now. */
  readonly flow: Pick<Flow, 'id' | 'name'>;
  /** Against the template of its trail; of its flow, where it was reported without one. */
  readonly state: TrailState;
}

/** Judges up to 1,000 reports in a handful of reads. */
export async function judged(documents: Documents, reports: readonly ProvenanceDocument[]): Promise<Judged[]> {
  const all = await evidenceOf(documents, reports);
  return all.map(({ report, known }) => ({ report, flow: known.flow, state: known.artifactStatus }));
}
