import type { FlowTemplate } from '@assurance/contracts/flows/events';
import type { PolicyRules } from '@assurance/contracts/policies/events';
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
  /** JSON text; null: any data will do. */
  readonly schema: string | null;
  /** jq programs: each must yield true. */
  readonly rules: readonly string[];
}

/** A policy file that was read. */
export interface PolicyFile {
  readonly yaml: string;
  readonly rules: PolicyRules;
}

/** Files that are read in a thread. */
export interface YamlFiles {
  readonly policy: PolicyFile;
  readonly template: FlowTemplate;
}

/** A software bill of materials with the packages that are recorded. */
export interface SbomSummary extends Omit<Sbom, 'components'> {
  readonly packageCount: number;
  /** Parts of the list of components, each as JSON text: its reader takes one after another. */
  readonly parts: readonly string[];
  /** How many components are left out beyond the limit. */
  readonly left: number;
}

/** A file of vulnerabilities: entries and statements in parts, each as JSON text. */
export interface VulnerabilityParts {
  readonly vulnerabilityParts: readonly string[];
  readonly statementParts: readonly string[];
  readonly vulnerabilities: number;
  readonly statements: number;
  /** How many entries could not be read, and why the first of them could not. */
  readonly unread: number;
  readonly refusals: readonly FieldRefusal[];
}

/** A report of a scanner. */
export interface ScanReport {
  /** The name of its file, behind that of an archive that holds it; null where it is a part of the attestation. */
  readonly file: string | null;
  /** Such as `trivy`; null where it cannot be told. */
  readonly format: string | null;
  /** The name of the scanner; empty where the report does not tell. */
  readonly tool: string;
  /** How many findings were read, and how many findings or reports could not be read. */
  readonly findings: number;
  readonly unread: number;
  /** Why nothing of it was read; null where it was. */
  readonly problem: string | null;
}

/** The reports of scanners of an attestation: their findings in parts, each as JSON text. */
export interface ScanSummary {
  /** The names of the scanners. */
  readonly tool: string;
  readonly parts: readonly string[];
  /** How many findings are left out: beyond the limit, and those that cannot be read. */
  readonly left: number;
  /** The first 100. */
  readonly reports: readonly ScanReport[];
}

/** Work that an evaluating thread is given. */
export type Job =
  | {
      readonly kind: 'check';
      readonly schema: string | null;
      /** jq programs that are to be compiled and not run. */
      readonly programs: readonly string[];
    }
  | { readonly kind: 'evaluate'; readonly demands: PayloadRules; /** JSON text. */ readonly data: string }
  | { readonly kind: 'yaml'; readonly what: keyof YamlFiles; readonly content: Uint8Array }
  /** The costs of rules of policies; each policy as JSON text. */
  | { readonly kind: 'weigh'; readonly rules: readonly string[] }
  | { readonly kind: 'judge'; readonly slice: JudgeSlice }
  /** A software bill of materials. The content is moved to the thread. */
  | { readonly kind: 'sbom'; readonly content: Uint8Array<ArrayBuffer> }
  /** What rules about components deny in parts of bills of materials; as JSON texts of `ComponentsRule` and of the data of `ComponentsListed`. */
  | { readonly kind: 'deny'; readonly rules: readonly string[]; readonly parts: readonly string[] }
  /** A file of vulnerabilities. The content is moved to the thread. */
  | {
      readonly kind: 'vulnerabilities';
      readonly content: Uint8Array<ArrayBuffer>;
      /** Null: the file tells. */
      readonly format: FileFormat | null;
    }
  /** A report of a scanner as JSON text, null without one, and files that may be such reports. Their contents are moved to the thread. */
  | { readonly kind: 'scan'; readonly report: string | null; readonly files: readonly AttachedFile[] }
  /** In which texts a regular expression is found. */
  | { readonly kind: 'match'; readonly pattern: string; readonly texts: readonly string[] };

/** Something that cannot be compiled: the schema, or the program at this place of the list. */
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

/** How data meets demands. */
export type Evaluation =
  /** The data is not what the schema describes: where, as a JSON pointer, and what. */
  | { readonly kind: 'unfit'; readonly at: string; readonly text: string }
  /** Whether each rule yielded true, in their order. */
  | { readonly kind: 'fit'; readonly held: readonly boolean[] };

/** The result of a job. */
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
  | /** It is working on a program or on the schema: should it go no further, that is what it was. */ {
      readonly kind: 'at';
      readonly what: Problem['what'];
      readonly spent?: undefined;
    }
    /** `spent`: the thread should not be used again, since something in it grew. */
  | (JobResult & { readonly spent: boolean })
);

/** The answer to a job. */
export type JobResultOf<J extends Job> = Extract<JobResult, { readonly kind: J['kind'] }>;
