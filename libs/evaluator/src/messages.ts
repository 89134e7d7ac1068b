import type { FlowTemplate } from '@assurance/contracts/flows/events';
import type { PolicyRules } from '@assurance/contracts/policies/events';
import type { UnknownEcosystem } from '@assurance/contracts/vulnerabilities/events';
import type { Result } from '@assurance/kernel';
import type { DeniedComponents } from '@assurance/policies/domain/bill';
import type { RulesCost } from '@assurance/policies/domain/cost';
import type { FieldRefusal } from '@assurance/vulnerabilities/domain/field';
import type { FileFormat } from '@assurance/vulnerabilities/domain/file';
import type { JudgedSlice, JudgeSlice } from './judging/slice';
import type { Sbom } from './sbom/sbom';
import type { AttachedFile } from './scan/attached';
import type { YamlErrors } from './yaml/read-yaml';

/** The rules of an attestation type. */
export interface PayloadRules {
  /** JSON text; null: any data is valid. */
  readonly schema: string | null;
  /** jq programs. Each must yield true. */
  readonly rules: readonly string[];
}

/** A policy file and its parsed rules. */
export interface PolicyFile {
  readonly yaml: string;
  readonly rules: PolicyRules;
}

/** The YAML files that threads read. */
export interface YamlFiles {
  readonly policy: PolicyFile;
  readonly template: FlowTemplate;
}

/** A software bill of materials, with the packages to record. */
export interface SbomSummary extends Omit<Sbom, 'components'> {
  readonly packageCount: number;
  /** Parts of the list of components, each as JSON text, so that the reader can process one after another. */
  readonly parts: readonly string[];
  /** How many components are left out beyond the limit. */
  readonly left: number;
  /** How many recorded packages cannot be compared with databases of vulnerabilities. */
  readonly unmatched: number;
}

/** A file of vulnerabilities. Its entries and statements are divided into parts, each as JSON text. */
export interface VulnerabilityParts {
  readonly vulnerabilityParts: readonly string[];
  readonly statementParts: readonly string[];
  readonly vulnerabilities: number;
  readonly statements: number;
  /** How many entries could not be read. `refusals` has the reasons for the first of them. */
  readonly unread: number;
  readonly refusals: readonly FieldRefusal[];
  readonly unknownEcosystems: readonly UnknownEcosystem[];
}

export interface ScanReport {
  /** The name of its file, after the name of its archive if it is in one; null if it is part of the attestation itself. */
  readonly file: string | null;
  /** Such as `trivy`; null if unknown. */
  readonly format: string | null;
  /** The name of the scanner; empty if the report does not name it. */
  readonly tool: string;
  /** How many findings were read, and how many findings or reports could not be read. */
  readonly findings: number;
  readonly unread: number;
  /** Why the report could not be read; null if it could. */
  readonly problem: string | null;
}

/** The scanner reports of an attestation. Their findings are divided into parts, each as JSON text. */
export interface ScanSummary {
  /** The names of the scanners, with commas between. */
  readonly tool: string;
  readonly parts: readonly string[];
  /** How many findings are left out, because they are beyond the limit or cannot be read. */
  readonly left: number;
  /** The first 100. */
  readonly reports: readonly ScanReport[];
}

/** Work for an evaluator thread. */
export type Job =
  | {
      readonly kind: 'check';
      readonly schema: string | null;
      /** jq programs. They are compiled and not run. */
      readonly programs: readonly string[];
    }
  | { readonly kind: 'evaluate'; readonly demands: PayloadRules; /** JSON text. */ readonly data: string }
  | { readonly kind: 'yaml'; readonly what: keyof YamlFiles; readonly content: Uint8Array }
  /** Estimates the costs of policies. Each policy's rules are JSON text. */
  | { readonly kind: 'weigh'; readonly rules: readonly string[] }
  | { readonly kind: 'judge'; readonly slice: JudgeSlice }
  /** Reads a software bill of materials. The content is moved to the thread. */
  | { readonly kind: 'sbom'; readonly content: Uint8Array<ArrayBuffer> }
  /** Finds denied components. `rules` are JSON texts of `ComponentsRule`; `parts` are JSON texts of the data of `ComponentsListed`. */
  | { readonly kind: 'deny'; readonly rules: readonly string[]; readonly parts: readonly string[] }
  /** Reads a file of vulnerabilities. The content is moved to the thread. */
  | {
      readonly kind: 'vulnerabilities';
      readonly content: Uint8Array<ArrayBuffer>;
      /** Null: the format is detected from the file. */
      readonly format: FileFormat | null;
    }
  /** Reads scanner reports: `report` as JSON text if it is not null, and files that may be reports. The files' contents are moved to the thread. */
  | { readonly kind: 'scan'; readonly report: string | null; readonly files: readonly AttachedFile[] }
  /** Finds the texts that match a regular expression. */
  | { readonly kind: 'match'; readonly pattern: string; readonly texts: readonly string[] };

/** The schema, or the program at this index, cannot be compiled. */
export interface Problem {
  readonly what: 'schema' | number;
  readonly text: string;
}

/** A job exceeded its time or memory. */
export interface LimitExceeded {
  readonly kind: 'exceeded';
  /** The program or schema that was running; null if unknown. */
  readonly what: Problem['what'] | null;
}

/** The result of checking data. */
export type Evaluation =
  /** The data does not match the schema. `at` is a JSON pointer to the wrong value, and `text` is the problem. */
  | { readonly kind: 'unfit'; readonly at: string; readonly text: string }
  /** Whether each rule yielded true, in order. */
  | { readonly kind: 'fit'; readonly verdicts: readonly boolean[] };

export type JobResult =
  | { readonly kind: 'check'; readonly problems: readonly Problem[] }
  | { readonly kind: 'evaluate'; readonly evaluation: Evaluation }
  | { readonly kind: 'yaml'; readonly read: Result<YamlFiles[keyof YamlFiles], YamlErrors> }
  | { readonly kind: 'weigh'; readonly costs: readonly RulesCost[] }
  | { readonly kind: 'judge'; readonly judged: JudgedSlice }
  | { readonly kind: 'sbom'; readonly read: Result<SbomSummary, string> }
  /** By part, then by rule. */
  | { readonly kind: 'deny'; readonly denied: readonly (readonly (readonly DeniedComponents[])[])[] }
  | { readonly kind: 'vulnerabilities'; readonly read: VulnerabilityParts }
  /** Null without any report. */
  | { readonly kind: 'scan'; readonly read: ScanSummary | null }
  | { readonly kind: 'match'; readonly matched: Result<readonly boolean[], string> };

/** A message of an evaluator thread about the job with this id. */
export type ThreadMessage = { readonly id: number } & (
  | /** The thread starts with a program or the schema. If the job exceeds its limits, this was the cause. */ {
      readonly kind: 'at';
      readonly what: Problem['what'];
      readonly spent?: undefined;
    }
    /** `spent`: the thread should not be used again, because it holds too much memory. */
  | (JobResult & { readonly spent: boolean })
);

/** The answer to a job. */
export type JobResultOf<J extends Job> = Extract<JobResult, { readonly kind: J['kind'] }>;
