import type { Flow, Repo } from '@assurance/contracts/flows/documents';
import type { Documents } from '@assurance/storage-ports';
import { type AttestationDocument, TRAIL_SUBJECT } from '../../domain/attestation';
import type { ProvenanceDocument } from '../../domain/provenance';
import type { TrailState } from '../../domain/requirements';
import { evidenceOf } from '../../lookups/evidence';
import { reposById } from '../../lookups/repos';

/** A report of an artifact with the fields that lists show. */
export interface JudgedReport {
  readonly report: ProvenanceDocument;
  /** The current flow. */
  readonly flow: Pick<Flow, 'id' | 'name'>;
  /** The status by the template of its trail, or of its flow if it was reported without a trail. */
  readonly state: TrailState;
  /** The newest attestation of each name on the artifact, newest first. */
  readonly attestations: readonly AttestationDocument[];
  /** The current repository; null if none was reported. */
  readonly repo: Repo | null;
}

/** Evaluates up to 1,000 reports in a handful of reads. */
export async function judgeReports(
  documents: Documents,
  reports: readonly ProvenanceDocument[],
): Promise<JudgedReport[]> {
  const all = await evidenceOf(documents, reports);
  const repoIds = reports.flatMap(({ first }) => first.repo?.id ?? []);
  const repos = await reposById(documents, repoIds);
  return all.map(({ report, evidence }) => ({
    report,
    flow: evidence.flow,
    state: evidence.artifactStatus,
    attestations: evidence.attestations.filter(({ subject }) => subject !== TRAIL_SUBJECT),
    repo: repos.get(report.first.repo?.id ?? '') ?? null,
  }));
}
