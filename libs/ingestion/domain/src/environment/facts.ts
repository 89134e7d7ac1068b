import type { Provenance, RunningArtifact } from '@assurance/contracts-events';
import type { RanDocument } from '@assurance/model-environment';

/** What other streams say about the artifacts that changed. */
export interface ReportFacts {
  /** Time of the decision, integer milliseconds. */
  readonly at: number;
  /** What is known of a fingerprint, first report first. */
  provenanceOf(fingerprint: string): readonly Provenance[];
  /** What ran under a template's name in this environment and started before a snapshot. */
  ranBefore(flow: string, template: string, snapshot: number): readonly RanDocument[];
  /** The newest snapshot's artifacts, wanted when `fullIsDue`. */
  readonly recorded: readonly RunningArtifact[] | null;
}
