import type { Flow } from '@assurance/contracts/flows/documents';
import type { FlowTemplate } from '@assurance/contracts/flows/events';
import type { ImportedFile, VexStatement, VulnerabilityEvent } from '@assurance/contracts/vulnerabilities/events';
import { canonicalJson, sha256 } from '@assurance/kernel';
import type { PolicyVersionDocument } from '@assurance/policies/domain/policy';
import { type Actor, jsonText } from './manifest';

// The content of files about policies, the flow and VEX statements. Writer and verifier of a package derive it from the same events.

/** The position of a commit. */
export interface RecordingCommit {
  readonly stream: string;
  readonly seq: number;
}

/** The text of a commit's position, which is also used as a key. */
export function placeText({ stream, seq }: RecordingCommit): string {
  return `commit ${seq} of ${stream}`;
}

/** A version of a policy without its text and rules. */
export type PolicyVersion = Omit<PolicyVersionDocument, 'yaml' | 'rules'>;

export function policyPaths(folder: string): { readonly json: string; readonly yaml: string } {
  return { json: `${folder}/policy.json`, yaml: `${folder}/policy.yaml` };
}

/** The content of `policy.json`. The text of the policy is in a separate file. */
export function policyContent(
  { policy, name, version, comment, at, by }: PolicyVersion,
  byName: string,
  { stream, seq }: RecordingCommit,
): object {
  return {
    id: policy,
    name,
    version,
    comment,
    when: new Date(at).toISOString(),
    by_whom: { id: by, name: byName },
    recorded: { stream, seq },
  };
}

export const FLOW = 'flow/flow.json';

/** The content of `flow.json`: the flow after its last event, without the template. */
export function flowContent(
  { id, name, description, visibility, tags, archived }: Flow,
  { stream, seq }: RecordingCommit,
): object {
  return { id, name, description, visibility, tags, archived, recorded: { stream, seq } };
}

/** The file of a template: the YAML byte for byte as it was set, or the legacy list as JSON. */
export function templateFile(template: FlowTemplate): { readonly path: string; readonly text: string } {
  return 'yaml' in template
    ? { path: 'flow/template.yaml', text: template.yaml }
    : { path: 'flow/template.json', text: jsonText(template.list) };
}

export const VEX = 'vex.json';

/** Types of the events that record VEX statements and the begin of an import. */
export const VEX_EVENTS = {
  listed: 'VexStatementsListed',
  begun: 'VulnerabilityImportBegun',
} as const satisfies Readonly<Record<string, VulnerabilityEvent['type']>>;

/** The content of a VEX statement in `vex.json`. */
export interface StatementFacts {
  /** SHA-256 of the canonical JSON of the recorded statement. */
  readonly sha256: string;
  /** The name of the vulnerability in the statement. */
  readonly stated_as: string;
  readonly status: VexStatement['status'];
  readonly justification: string | null;
  /** The author in the document. */
  readonly by: string | null;
  /** The time in the document (ISO 8601); null if it has none. */
  readonly at: string | null;
}

export function statementContent(statement: VexStatement): StatementFacts {
  const { vulnerability, status, justification, by, at } = statement;
  const when = at === null ? null : new Date(at).toISOString();
  return { sha256: sha256(canonicalJson(statement)), stated_as: vulnerability, status, justification, by, at: when };
}

/** The document of a statement, its importer and the time of the import (ISO 8601). `recorded` is the commit that begins the import. */
export interface ShownImport extends ImportedFile {
  readonly when: string;
  readonly by_whom: Actor;
  readonly recorded: RecordingCommit;
}

/** A statement about a vulnerability of an artifact. */
export interface ShownStatement extends StatementFacts {
  /** The best-known name, and the other names. */
  readonly vulnerability: string;
  readonly aliases: readonly string[];
  /** Fingerprint. */
  readonly artifact: string;
  /** Package URLs of the components that it is about, and of those for which another statement is the latest. */
  readonly components: readonly string[];
  readonly replaced_for: readonly string[];
  readonly recorded: RecordingCommit;
  readonly document: ShownImport;
}
