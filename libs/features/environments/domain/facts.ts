import type { StartDocument } from '@assurance/contracts/environments/documents';
import type { AppliedPolicy, RunningArtifact } from '@assurance/contracts/environments/events';
import type { Provenance } from '@assurance/contracts/flows/events';
import type { JudgedTrail, Verdict } from '@assurance/contracts/policies/events';
import type { JudgedArtifact } from '@assurance/policies/domain/judge';

/** Facts of a report: its times, and what other streams know of the changed artifacts. */
export interface ReportFacts {
  /** When the snapshot is observed, integer milliseconds. */
  readonly observedAt: number;
  /** When the report before this one was observed, integer milliseconds; null where none came before. */
  readonly previousReportAt: number | null;
  /** The provenance of a fingerprint, first report first. */
  provenanceOf(fingerprint: string): readonly Provenance[];
  /** Artifacts that ran under a template's name in this environment and started before a snapshot. */
  ranBefore(flow: string, template: string, snapshot: number): readonly StartDocument[];
  /**
   * The snapshot in which a fingerprint of `requiredStarts` first started in this environment with provenance; null where it never did, undefined where
   * that is unknown.
   */
  firstStart(fingerprint: string): number | null | undefined;
  /** The status of one of those in its flow now; null if nothing judges the environment. */
  stateOf(previous: PreviousArtifact): JudgedTrail['status'] | null;
  /** The newest snapshot's artifacts, wanted when `fullIsDue`. */
  readonly recorded: readonly RunningArtifact[] | null;
  /** Null where nothing judges. */
  readonly judging: Judging | null;
}

/** Artifacts that ran before in an environment, by template. */
export type PreviousArtifact = Omit<StartDocument, 'environment' | 'instances'>;

/** The standards by which an environment is judged now. */
export interface Judging {
  /** In the order in which they were attached. */
  readonly policies: readonly AppliedPolicy[];
  readonly requireProvenance: boolean;
  /** The seqs of other streams that verdicts reflect at least. */
  readonly heads: Readonly<Record<string, number>>;
  /** The verdict on an artifact that changed; on any that runs, where `standardsMoved`. */
  verdictOf(artifact: JudgedArtifact): Verdict;
}
