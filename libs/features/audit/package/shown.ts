import type { Flow } from '@assurance/contracts/flows/documents';
import type { FlowTemplate } from '@assurance/contracts/flows/events';
import type { PolicyVersionDocument } from '@assurance/policies/domain/policy';
import { jsonText } from './manifest';

// The content of files about policies and the flow. Writer and verifier of a package derive it from the same events.

/** The commit that recorded something. */
export interface RecordingCommit {
  readonly stream: string;
  readonly seq: number;
}

/** A place in words, which is also its key. */
export function placeText({ stream, seq }: RecordingCommit): string {
  return `commit ${seq} of ${stream}`;
}

/** A version of a policy, its text and its rules aside. */
export type PolicyVersion = Omit<PolicyVersionDocument, 'yaml' | 'rules'>;

/** The paths of a version of a policy. */
export function policyPaths(folder: string): { readonly json: string; readonly yaml: string } {
  return { json: `${folder}/policy.json`, yaml: `${folder}/policy.yaml` };
}

/** The content of `policy.json`. The text of the policy is a file beside it. */
export function policyShown(
  { policy, name, version, comment, at, by }: PolicyVersion,
  byName: string,
  { stream, seq }: RecordingCommit,
): object {
  return {
    ...{ id: policy, name, version, comment, when: new Date(at).toISOString() },
    ...{ by_whom: { id: by, name: byName }, recorded: { stream, seq } },
  };
}

export const FLOW = 'flow/flow.json';

/** The content of `flow.json`: the flow after its last event, without the template. */
export function flowShown(
  { id, name, description, visibility, tags, archived }: Flow,
  { stream, seq }: RecordingCommit,
): object {
  return { id, name, description, visibility, tags, archived, recorded: { stream, seq } };
}

/** The file of a template: YAML to the byte as it was set, the legacy list as JSON. */
export function templateFile(template: FlowTemplate): { readonly path: string; readonly text: string } {
  return 'yaml' in template
    ? { path: 'flow/template.yaml', text: template.yaml }
    : { path: 'flow/template.json', text: jsonText(template.list) };
}
