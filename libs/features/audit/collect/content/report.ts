import type { ActorNameLookup } from '@assurance/access/lookups/actors';
import { SYSTEM } from '@assurance/contracts/events/streams';
import { TRAIL_SUBJECT } from '@assurance/flows/domain/attestation';
import type { TrailStatus } from '@assurance/flows/domain/compliance';
import { TRAIL_FIELDS } from '@assurance/flows/domain/trail';
import type { Chain, Heading } from '../../package/manifest';
import type { AuditReport, ReportEvent, Requirement, TimelineRow, Verdict } from '../../package/pdf/report';
import type { Scope } from '../scope';
import { type Artifact, artifactRows, deploymentRow } from './artifacts';
import { attestationSubject, type AttestationFiles } from './attestations';
import type { ProvedPolicy } from './policies';
import type { Record } from './recorded';
import type { ProvedVex } from './vex';
import type { SnapshotMoment, Run } from './runs';

/** The parts that the report is made of. */
export interface Parts {
  readonly scope: Scope;
  readonly heading: Heading;
  readonly record: Record;
  readonly artifacts: readonly Artifact[];
  readonly runs: readonly Run[];
  /** True if older runs are left out. */
  readonly cut: boolean;
  readonly policies: readonly ProvedPolicy[];
  readonly evidence: AttestationFiles['rows'];
  readonly sboms: AttestationFiles['sboms'];
  readonly vex: ProvedVex | null;
  readonly chains: readonly Chain[];
  readonly nameOf: ActorNameLookup;
}

export async function reportOf(parts: Parts): Promise<AuditReport> {
  const { scope, heading, record, artifacts, runs, cut, policies, evidence, sboms, vex, chains, nameOf } = parts;
  const { what } = scope;
  const deployments = [];
  for (const run of runs) deployments.push(await deploymentRow(run, nameOf));
  const [newest] = artifacts.flatMap(({ reports }) => reports[0].data.provenance);
  return {
    what: subjectOf(parts),
    organization: what.organization,
    flow: what.flow,
    trail: trailOf(parts),
    description: record.settings.description ?? '',
    at: heading.at,
    by: heading.by.name,
    service: heading.service,
    commit: record.settings.commit ?? newest?.commit ?? null,
    repository: record.settings.repo ?? newest?.repo ?? null,
    verdict: verdictOf(record.status),
    chains,
    timeline: await timelineOf(record, runs, nameOf),
    evidence,
    sboms: sboms.map((sbom) => ({
      ...sbom,
      about: evidence.find(({ id }) => id === sbom.attestation)?.about?.name ?? null,
    })),
    vex: vex === null ? null : { rows: vex.rows, isComplete: vex.manifest.complete },
    silent: evidence.filter(({ silence, counts, compliant }) => silence !== null && counts && compliant),
    artifacts: await artifactRows(artifacts, record, nameOf),
    deployments,
    olderDeployments: cut,
    policies: policies.flatMap(({ versions }) => versions.map(({ row }) => row)),
  };
}

function subjectOf({ scope: { what }, artifacts, evidence }: Parts): AuditReport['what'] {
  switch (what.kind) {
    case 'trail':
      return { kind: 'trail' };
    case 'artifact':
      return {
        kind: 'artifact',
        name: artifacts[0]?.reports[0].data.provenance.filename ?? what.fingerprint,
        fingerprint: what.fingerprint,
      };
    case 'attestation':
      return { kind: 'attestation', name: evidence[0]?.name ?? what.attestation, id: what.attestation };
  }
}

/** Name of the trail; null for an artifact that was reported without one. */
function trailOf({ scope: { what }, artifacts }: Parts): string | null {
  return what.kind === 'artifact' ? (artifacts[0]?.reports[0].data.provenance.trail ?? null) : what.trail;
}

function verdictOf({ status, attestations, artifacts }: TrailStatus): Verdict {
  const requirements = (artifact: string | null, all: TrailStatus['attestations']): Requirement[] =>
    all.map(({ name, type, compliant, unexpected }) => ({ artifact, name, type, compliant, unexpected }));
  const missingArtifacts = [...artifacts].filter(
    ([, artifactStatus]) => artifactStatus.status === 'MISSING' && !artifactStatus.unexpected,
  );
  return {
    status,
    requirements: [
      ...requirements(null, attestations),
      ...[...artifacts].flatMap(([name, artifactStatus]) => requirements(name, artifactStatus.attestations)),
    ],
    missingArtifacts: missingArtifacts.map(([name]) => name),
  };
}

async function timelineOf(
  { set, reports, attestations }: Record,
  runs: readonly Run[],
  nameOf: ActorNameLookup,
): Promise<TimelineRow[]> {
  const rows: { readonly at: number; readonly actor: string; readonly what: ReportEvent }[] = [];
  const tell = ({ at, actor }: Pick<SnapshotMoment, 'at' | 'actor'>, what: ReportEvent) =>
    rows.push({ at, actor, what });
  for (const [i, { data, meta }] of set.entries()) {
    const fields = TRAIL_FIELDS.filter((field) => data[field] !== undefined).map(wireName);
    tell(meta, i === 0 ? { kind: 'begun' } : { kind: 'updated', fields });
  }
  for (const { data, meta } of reports)
    tell(meta, { kind: 'artifact', name: data.provenance.filename, fingerprint: data.fingerprint });
  for (const { data, meta } of attestations) {
    const kind = data.type === 'override' ? 'overridden' : 'attested';
    tell(meta, {
      kind,
      name: data.name,
      type: data.type,
      about: attestationSubject(data)?.name ?? null,
      compliant: data.compliant,
    });
  }
  for (const { environment, artifact, since, until } of runs) {
    const ran = (kind: 'started' | 'exited', moment: SnapshotMoment) =>
      tell(moment, { kind, artifact, environment: environment.name, snapshot: moment.snapshot });
    ran('started', since);
    if (until !== null) ran('exited', until);
  }
  rows.sort((a, b) => a.at - b.at);
  const timeline: TimelineRow[] = [];
  for (const { at, actor, what } of rows)
    timeline.push({ at, by: actor === SYSTEM ? null : await nameOf(actor), what });
  return timeline;
}

/** The name of a field in answers of the API. */
function wireName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The verdict and its reasons as JSON. */
export function verdictJson({ status, template }: Pick<Record, 'status' | 'template'>): object {
  const artifacts = [...status.artifacts].map(([name, artifactStatus]) => {
    const { fingerprint, status: state, unexpected, attestations } = artifactStatus;
    return { template_reference_name: name, fingerprint, status: state, unexpected, attestations };
  });
  return { status: status.status, [TRAIL_SUBJECT]: status.attestations, artifacts, template: template.template };
}

/** The settings of a trail as JSON. */
export function trailJson({ scope, record }: Pick<Parts, 'scope' | 'record'>): object {
  const { flow, org } = scope;
  const {
    description = '',
    commit = null,
    userData = null,
    externalUrls = {},
    originUrl = null,
    repo = null,
  } = record.settings;
  return {
    organization: org,
    flow: { id: flow.id, name: flow.name, description: flow.description, tags: flow.tags },
    name: record.set[0]?.data !== undefined && 'name' in record.set[0].data ? record.set[0].data.name : null,
    description,
    git_commit_info: commit,
    repository: repo,
    origin_url: originUrl,
    user_data: userData,
    external_urls: externalUrls,
  };
}
