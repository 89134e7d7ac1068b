import { kindOf, streams } from '@assurance/contracts/events/streams';
import { trail } from '@assurance/flows/domain/trail';
import { canonicalJson } from '@assurance/kernel';
import type { Actor, ListedFile, Manifest } from '../manifest';
import { FLOW, flowShown, type Place, placeText, policyPaths, policyShown } from '../shown';
import type { ClaimedState } from './claimed-state';
import type { Report } from './finding';

/** The parts of a package that the check of shown files reads. */
export interface Read {
  readonly files: ReadonlyMap<string, ListedFile>;
  /** Texts of JSON files of the package, by path. */
  readonly texts: ReadonlyMap<string, string>;
  readonly told: ClaimedState;
}

/** The content of such a file. */
interface Said {
  readonly by_whom: Actor;
  readonly recorded: Place;
  readonly template: { readonly id: string; readonly path: string; readonly recorded: Place };
}

/** The folder of a version of a policy, by its path. */
const POLICY = /^(policies\/[^/]+)\/policy\.json$/;

/** Whether it is a file that shows what commits say. */
export function isShown(path: string): boolean {
  return path === FLOW || POLICY.test(path);
}

/** Holds files that show policies and the flow to what commits say of them. Packages of earlier releases do not say which commits. */
export function checkShown(manifest: Manifest, read: Read, report: Report): void {
  for (const [path, text] of read.texts) {
    if (!isShown(path)) continue;
    try {
      const said = JSON.parse(text) as Said & { readonly recorded?: Place };
      if (said.recorded === undefined) continue;
      const [, folder] = POLICY.exec(path) ?? [];
      if (folder === undefined) checkFlow(said, manifest, read, report);
      else checkPolicy(folder, said, read, report);
    } catch {
      // The content is untrusted and may have any shape.
      report(path, 'it is not what we write');
    }
  }
}

function checkPolicy(folder: string, said: Said, { files, told }: Read, report: Report): void {
  const { json, yaml } = policyPaths(folder);
  const place = placeText(said.recorded);
  const found = told.versions.get(place);
  if (found === undefined) return report(json, `${place}, which it names, tells of no such version`);
  compare(json, said, policyShown(found.version, said.by_whom.name, said.recorded), report);
  if (files.get(yaml)?.sha256 !== found.digest) report(yaml, `it is not the text that ${place} tells`);
}

function checkFlow(said: Said, { what, chains }: Manifest, { files, told }: Read, report: Report): void {
  const chain = chains.find(({ stream }) => stream === said.recorded.stream);
  const flow = told.flows.get(said.recorded.stream);
  if (chain === undefined || flow === undefined) return report(FLOW, `no commits tell of ${said.recorded.stream}`);
  compare(FLOW, said, flowShown(flow, { stream: streams.flow(flow.id), seq: chain.to }), report);
  const { id, path, recorded } = said.template;
  const place = placeText(recorded);
  const template = told.templates.get(place);
  if (template?.id !== id) return report(FLOW, `${place}, which it names, tells of no such template`);
  if (files.get(path)?.sha256 !== template.digest) report(path, `it is not the template that ${place} tells`);
  // A package of one artifact or attestation need not tell which template its trail was held to last.
  const own = chains.find(({ stream }) => kindOf(stream) === trail.kind);
  if (what.kind === 'trail' && told.inForce.get(own?.stream ?? '') !== id)
    report(FLOW, 'its template is not the one that the trail was held to');
}

/** The content of a file must match the recorded events. A missing field is no fault. */
function compare(path: string, said: object, recorded: object, report: Report): void {
  for (const [field, value] of Object.entries(recorded)) {
    const shown = (said as Readonly<Record<string, unknown>>)[field];
    if (shown !== undefined && canonicalJson(shown) !== canonicalJson(value ?? null))
      report(path, `its ${field} is not what was recorded`);
  }
}
