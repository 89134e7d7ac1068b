import type { ActorNameLookup } from '@assurance/access/lookups/actors';
import { streams } from '@assurance/contracts/events/streams';
import type { ArtifactReported } from '@assurance/contracts/flows/events';
import type { Allowance } from '@assurance/contracts/policies/events';
import { groupBy, isoOf } from '@assurance/kernel';
import { jsonText } from '../../package/manifest';
import { baseName, numberedName, safePart } from '../../package/names';
import type { AllowanceRow, ArtifactRow, DeploymentRow } from '../../package/pdf/report';
import { type PackageFile, textFile } from '../../package/write';
import type { Record, Recorded } from './recorded';
import type { SnapshotMoment, Run, RunAllowance } from './runs';

/** An artifact with all its reports and runs. */
export interface Artifact {
  readonly fingerprint: string;
  readonly reports: readonly [Recorded<ArtifactReported>, ...Recorded<ArtifactReported>[]];
  readonly runs: readonly Run[];
}

/** The artifacts of a record, in the order of their first reports. */
export function artifactsOf({ reports }: Pick<Record, 'reports'>, runs: readonly Run[]): Artifact[] {
  const ran = groupBy(runs, ({ fingerprint }) => fingerprint);
  return [...groupBy(reports, ({ data }) => data.fingerprint)].map(([fingerprint, all]) => ({
    fingerprint,
    reports: all,
    runs: ran.get(fingerprint) ?? [],
  }));
}

/** Writes a file for each artifact with its reports and the environments in which it ran. */
export async function* artifactFiles(
  artifacts: readonly Artifact[],
  nameOf: ActorNameLookup,
): AsyncGenerator<PackageFile> {
  for (const [i, { fingerprint, reports, runs }] of artifacts.entries()) {
    const [{ data }] = reports;
    const name = safePart(baseName(data.provenance.filename), 40, 'end');
    const files = [];
    for (const report of reports) files.push(await reportJson(report, nameOf));
    const ran = [];
    for (const run of runs) ran.push(await runJson(run, nameOf));
    const json = { fingerprint, filename: data.provenance.filename, reports: files, ran };
    yield textFile(`artifacts/${numberedName(i + 1, 5, name)}/artifact.json`, jsonText(json));
  }
}

async function reportJson({ data, meta }: Recorded<ArtifactReported>, nameOf: ActorNameLookup): Promise<object> {
  const { provenance, externalUrls, annotations } = data;
  const { artifactId, flow, trail, template, filename, gitCommit, commitUrl, buildUrl, commit, repo } = provenance;
  return {
    artifact_id: artifactId,
    flow: flow.name,
    trail,
    template_reference_name: template,
    filename,
    git_commit: gitCommit,
    commit_url: commitUrl,
    build_url: buildUrl,
    git_commit_info: commit,
    repository: repo,
    external_urls: externalUrls,
    annotations,
    when: isoOf(meta.at),
    by_whom: { id: meta.actor, name: await nameOf(meta.actor) },
    recorded: { stream: meta.stream, seq: meta.seq },
  };
}

async function runJson(run: Run, nameOf: ActorNameLookup): Promise<object> {
  const { environment, artifact, instances, since, until, compliant, verdict, allowance, policies } = run;
  const moment = ({ snapshot, at, observedAt, seq }: SnapshotMoment) => {
    return { snapshot, when: isoOf(at), observed: isoOf(observedAt), recorded: { seq } };
  };
  return {
    environment,
    artifact,
    instances,
    since: moment(since),
    until: until === null ? null : moment(until),
    compliant,
    verdict,
    policies,
    allowed: allowance === null ? null : await allowanceJson(allowance, nameOf),
  };
}

async function allowanceJson(allowance: RunAllowance, nameOf: ActorNameLookup): Promise<object> {
  const { environment, by, at, description, expiresAt, seq } = allowance;
  return {
    when: isoOf(at),
    by_whom: { id: by, name: await nameOf(by) },
    why: description,
    until: expiresAt === undefined ? null : isoOf(expiresAt),
    recorded: seq === null ? null : { stream: streams.environment(environment), seq },
  };
}

/** An entry of an allow-list in the form of the report. */
export async function allowanceRow(
  allowance: Allowance | null | undefined,
  nameOf: ActorNameLookup,
): Promise<AllowanceRow | null> {
  if (allowance == null) return null;
  const { by, at, description, expiresAt } = allowance;
  return { by: await nameOf(by), at, why: description, until: expiresAt ?? null };
}

export async function artifactRows(
  artifacts: readonly Artifact[],
  { status }: Pick<Record, 'status'>,
  nameOf: ActorNameLookup,
): Promise<ArtifactRow[]> {
  const rows: ArtifactRow[] = [];
  for (const { fingerprint, reports } of artifacts) {
    const [{ data, meta }] = reports;
    const { filename, template, gitCommit, buildUrl } = data.provenance;
    const artifactStatus = [...status.artifacts.values()].find((artifact) => artifact.fingerprint === fingerprint);
    const state =
      artifactStatus === undefined || artifactStatus.status === 'MISSING' ? status.status : artifactStatus.status;
    const by = await nameOf(meta.actor);
    rows.push({ name: filename, fingerprint, template, status: state, at: meta.at, by, gitCommit, buildUrl });
  }
  return rows;
}

export async function deploymentRow(run: Run, nameOf: ActorNameLookup): Promise<DeploymentRow> {
  const { environment, fingerprint, artifact, since, until, compliant, allowance } = run;
  return {
    artifact,
    fingerprint,
    environment: environment.name,
    environmentType: environment.type,
    since: since.observedAt,
    until: until?.observedAt ?? null,
    snapshot: since.snapshot,
    compliant,
    allowance: await allowanceRow(allowance, nameOf),
  };
}
