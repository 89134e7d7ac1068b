import { kindOf, streams } from '@assurance/contracts/events/streams';
import { trail } from '@assurance/flows/domain/trail';
import { canonicalJson } from '@assurance/kernel';
import type { Actor, ListedFile, Manifest } from '../manifest';
import { FLOW, flowContent, type RecordingCommit, placeText, policyPaths, policyContent } from '../contents';
import type { ClaimedState } from './claimed-state';
import type { Report } from './finding';

/** The parts of a package that the check of shown files reads. */
export interface PackageTexts {
  readonly files: ReadonlyMap<string, ListedFile>;
  /** Texts of JSON files of the package, by path. */
  readonly texts: ReadonlyMap<string, string>;
  readonly claims: ClaimedState;
}

/** The content of a file that shows a policy or the flow. */
interface RecordedStatement {
  readonly by_whom: Actor;
  readonly recorded: RecordingCommit;
  readonly template: { readonly id: string; readonly path: string; readonly recorded: RecordingCommit };
}

/** Matches the path of a policy version's file, and captures its folder. */
const POLICY = /^(policies\/[^/]+)\/policy\.json$/;

/** Whether a file repeats data of commits. */
export function isRecordedStatement(path: string): boolean {
  return path === FLOW || POLICY.test(path);
}

/** Compares files that show policies and the flow with the commits. Packages of earlier releases do not name these commits. */
export function checkShown(manifest: Manifest, read: PackageTexts, report: Report): void {
  for (const [path, text] of read.texts) {
    if (!isRecordedStatement(path)) continue;
    try {
      const statement = JSON.parse(text) as RecordedStatement & { readonly recorded?: RecordingCommit };
      if (statement.recorded === undefined) continue;
      const [, folder] = POLICY.exec(path) ?? [];
      if (folder === undefined) checkFlow(statement, manifest, read, report);
      else checkPolicy(folder, statement, read, report);
    } catch {
      // The content is untrusted and may have any shape.
      report(path, 'it is not what we write');
    }
  }
}

function checkPolicy(
  folder: string,
  recordedStatement: RecordedStatement,
  { files, claims }: PackageTexts,
  report: Report,
): void {
  const { json, yaml } = policyPaths(folder);
  const place = placeText(recordedStatement.recorded);
  const policyVersion = claims.versions.get(place);
  if (policyVersion === undefined) return report(json, `${place}, which it names, tells of no such version`);
  compare(
    json,
    recordedStatement,
    policyContent(policyVersion.version, recordedStatement.by_whom.name, recordedStatement.recorded),
    report,
  );
  if (files.get(yaml)?.sha256 !== policyVersion.digest) report(yaml, `it is not the text that ${place} tells`);
}

function checkFlow(
  recordedStatement: RecordedStatement,
  { what, chains }: Manifest,
  { files, claims }: PackageTexts,
  report: Report,
): void {
  const chain = chains.find(({ stream }) => stream === recordedStatement.recorded.stream);
  const flow = claims.flows.get(recordedStatement.recorded.stream);
  if (chain === undefined || flow === undefined)
    return report(FLOW, `no commits tell of ${recordedStatement.recorded.stream}`);
  compare(FLOW, recordedStatement, flowContent(flow, { stream: streams.flow(flow.id), seq: chain.to }), report);
  const { id, path, recorded } = recordedStatement.template;
  const place = placeText(recorded);
  const template = claims.templates.get(place);
  if (template?.id !== id) return report(FLOW, `${place}, which it names, tells of no such template`);
  if (files.get(path)?.sha256 !== template.digest) report(path, `it is not the template that ${place} tells`);
  // A package of one artifact or attestation need not contain the last template of its trail.
  const own = chains.find(({ stream }) => kindOf(stream) === trail.kind);
  if (what.kind === 'trail' && claims.inForce.get(own?.stream ?? '') !== id)
    report(FLOW, 'its template is not the one that the trail was held to');
}

/** Compares the content of a file with the recorded events. A missing field is not a fault. */
function compare(path: string, stated: object, recorded: object, report: Report): void {
  for (const [field, value] of Object.entries(recorded)) {
    const shown = (stated as Readonly<Record<string, unknown>>)[field];
    if (shown !== undefined && canonicalJson(shown) !== canonicalJson(value ?? null))
      report(path, `its ${field} is not what was recorded`);
  }
}
