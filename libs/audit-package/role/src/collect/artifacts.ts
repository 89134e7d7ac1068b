import type { ArtifactReported } from '@assurance/contracts-events';
import type { ArtifactRow, DeploymentRow, PolicyRow, PolicyVerdictRow } from '@assurance/audit-package-pdf';
import {
  baseName,
  jsonText,
  numbered,
  type PackageFile,
  type ListedFile,
  safePart,
  textFile,
} from '@assurance/audit-package-package';
import { byteLength, grouped, sha256 } from '@assurance/kernel';
import { policyVersionId, policyVersions, type PolicyVersionDocument } from '@assurance/model-policy';
import type { NameOf } from '@assurance/readers-names';
import { type Documents, getAll } from '@assurance/storage-ports';
import type { Record, Recorded } from './recorded';
import type { Moment, Run } from './runs';

/** An artifact with all that was reported of it. */
export interface Artifact {
  readonly fingerprint: string;
  readonly reports: readonly [Recorded<ArtifactReported>, ...Recorded<ArtifactReported>[]];
  readonly runs: readonly Run[];
}

/** The artifacts of a record, as they were first reported. */
export function artifactsOf({ reports }: Pick<Record, 'reports'>, runs: readonly Run[]): Artifact[] {
  const ran = grouped(runs, ({ fingerprint }) => fingerprint);
  return [...grouped(reports, ({ data }) => data.fingerprint)].map(([fingerprint, all]) => ({
    fingerprint,
    reports: all,
    runs: ran.get(fingerprint) ?? [],
  }));
}

/** A file for each artifact: what was reported of it, and where it ran. */
export async function* artifactFiles(artifacts: readonly Artifact[], nameOf: NameOf): AsyncGenerator<PackageFile> {
  for (const [i, { fingerprint, reports, runs }] of artifacts.entries()) {
    const [{ data }] = reports;
    const name = safePart(baseName(data.provenance.filename), 40, 'end');
    const said = [];
    for (const report of reports) said.push(await reportJson(report, nameOf));
    const json = { fingerprint, filename: data.provenance.filename, reports: said, ran: runs.map(runJson) };
    yield textFile(`artifacts/${numbered(i + 1, 5, name)}/artifact.json`, jsonText(json));
  }
}

async function reportJson({ data, meta }: Recorded<ArtifactReported>, nameOf: NameOf): Promise<object> {
  const { provenance, externalUrls, annotations } = data;
  const { artifactId, flow, trail, template, filename, gitCommit, commitUrl, buildUrl, commit, repo } = provenance;
  return {
    ...{ artifact_id: artifactId, flow: flow.name, trail, template_reference_name: template, filename },
    ...{ git_commit: gitCommit, commit_url: commitUrl, build_url: buildUrl, git_commit_info: commit, repository: repo },
    ...{ external_urls: externalUrls, annotations },
    ...{ when: isoOf(meta.at), by_whom: { id: meta.actor, name: await nameOf(meta.actor) } },
    recorded: { stream: meta.stream, seq: meta.seq },
  };
}

function runJson({ environment, artifact, instances, since, until, compliant, verdict, policies }: Run): object {
  const moment = ({ snapshot, at, seq }: Moment) => ({ snapshot, when: isoOf(at), recorded: { seq } });
  return {
    ...{ environment, artifact, instances },
    ...{ since: moment(since), until: until === null ? null : moment(until) },
    ...{ compliant, verdict, policies },
  };
}

/** Rows of artifacts, for readers. */
export async function artifactRows(
  artifacts: readonly Artifact[],
  { status }: Pick<Record, 'status'>,
  nameOf: NameOf,
): Promise<ArtifactRow[]> {
  const rows: ArtifactRow[] = [];
  for (const { fingerprint, reports } of artifacts) {
    const [{ data, meta }] = reports;
    const { filename, template, gitCommit, buildUrl } = data.provenance;
    const found = [...status.artifacts.values()].find((one) => one.fingerprint === fingerprint);
    const state = found === undefined || found.status === 'MISSING' ? status.status : found.status;
    const by = await nameOf(meta.actor);
    rows.push({ name: filename, fingerprint, template, status: state, at: meta.at, by, gitCommit, buildUrl });
  }
  return rows;
}

export function deploymentRow({ environment, fingerprint, artifact, since, until, compliant }: Run): DeploymentRow {
  return {
    ...{ artifact, fingerprint, environment: environment.name, environmentType: environment.type },
    ...{ since: since.at, until: until?.at ?? null, snapshot: since.snapshot, compliant },
  };
}

/** A version of a policy that judged a run, with the files that hold it. */
export interface PolicyFiles {
  readonly row: PolicyRow;
  readonly files: readonly PackageFile[];
}

/** The policies by which the runs were judged, as they were then. */
export async function policiesOf(documents: Documents, runs: readonly Run[], nameOf: NameOf): Promise<PolicyFiles[]> {
  const ids = new Set(runs.flatMap(({ policies }) => policies.map(({ id, version }) => policyVersionId(id, version))));
  const versions = await getAll(documents.collection(policyVersions), [...ids].sort());
  const found: PolicyFiles[] = [];
  for (const id of [...ids].sort()) {
    const version = versions.get(id);
    if (version !== undefined) found.push(policyFiles(version, found.length + 1, runs, await nameOf(version.by)));
  }
  return found;
}

function policyFiles(document: PolicyVersionDocument, number: number, runs: readonly Run[], by: string): PolicyFiles {
  const { policy, name, version, yaml, comment, at } = document;
  const folder = `policies/${numbered(number, 3, `${safePart(name, 40)}-v${version}`)}`;
  const file: ListedFile = { path: `${folder}/policy.yaml`, size: byteLength(yaml), sha256: sha256(yaml) };
  const json = { id: policy, name, version, comment, when: isoOf(at), by_whom: { id: document.by, name: by } };
  return {
    row: { name, version, file, verdicts: runs.flatMap((run) => verdictRow(run, policy, version)) },
    files: [textFile(file.path, yaml), textFile(`${folder}/policy.json`, jsonText(json))],
  };
}

function verdictRow(
  { artifact, environment, since, verdict }: Run,
  policy: string,
  version: number,
): PolicyVerdictRow[] {
  const own = verdict?.policies.find((one) => one.policy === policy && one.version === version);
  if (verdict === null || own === undefined) return [];
  const { allowed, reasons } = verdict;
  const { compliant } = own;
  const place = { artifact, environment: environment.name, snapshot: since.snapshot };
  return [{ ...place, compliant, allowed, reasons: compliant ? [] : reasons }];
}

function isoOf(at: number): string {
  return new Date(at).toISOString();
}
