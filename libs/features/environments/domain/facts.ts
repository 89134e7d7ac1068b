import type { StartDocument } from '@assurance/contracts/environments/documents';
import type { AppliedPolicy, RunningArtifact } from '@assurance/contracts/environments/events';
import type { Provenance } from '@assurance/contracts/flows/events';
import type { JudgedTrail, Verdict } from '@assurance/contracts/policies/events';
import type { JudgedArtifact } from '@assurance/policies/domain/judge';

/** Facts for the decision on a report: its times, and data of other streams about the changed artifacts. */
export interface ReportFacts {
  /** When the snapshot is observed, integer milliseconds. */
  readonly observedAt: number;
  /** When the report before this one was observed, integer milliseconds; null for the first report. */
  readonly previousReportAt: number | null;
  /** The provenance of a fingerprint, first report first. */
  provenanceOf(fingerprint: string): readonly Provenance[];
  /** Artifacts that ran under a template's name in this environment and started before a snapshot. */
  ranBefore(flow: string, template: string, snapshot: number): readonly StartDocument[];
  /**
   * The snapshot in which a fingerprint of `requiredStarts` first started in this environment with provenance; null if it never did,
   * undefined if that is unknown.
   */
  firstStart(fingerprint: string): number | null | undefined;
  /** The current status of such an artifact in its flow; null if nothing judges the environment. */
  stateOf(previous: PreviousArtifact): JudgedTrail['status'] | null;
  /** The artifacts of the newest snapshot, required if `fullIsDue`. */
  readonly recordedArtifacts: readonly RunningArtifact[] | null;
  /** Null where nothing judges. */
  readonly environmentStandards: EnvironmentStandards | null;
}

/** Artifacts that ran before in an environment, by template. */
export type PreviousArtifact = Omit<StartDocument, 'environment' | 'instances'>;

/** The current standards of an environment. */
export interface EnvironmentStandards {
  /** In the order in which they were attached. */
  readonly policies: readonly AppliedPolicy[];
  readonly requireProvenance: boolean;
  /** The minimum seqs of other streams that the verdicts reflect. */
  readonly heads: Readonly<Record<string, number>>;
  /** The verdict on a changed artifact, or on any running artifact if `haveStandardsChanged`. */
  verdictOf(artifact: JudgedArtifact): Verdict;
}
