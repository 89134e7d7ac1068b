import type { ArtifactAnswer, ArtifactListItem, SearchAnswer } from '@assurance/contracts/flows/answers/artifact';
import type { Repo } from '@assurance/contracts/flows/documents';
import type { ArtifactReported } from '@assurance/contracts/flows/events';
import { links, type Site } from '@assurance/contracts/http/links';
import { plausibleTime } from '@assurance/kernel';
import type { AttestationDocument } from '../../domain/attestation';
import type { TrailState } from '../../domain/requirements';
import { commitAnswer } from '../../lookups/commit-answer';
import type { HistoryEntry, RunLocation, RunningLocation, ArtifactRuns } from './runs';
import type { JudgedReport } from './states';

/** An artifact in a list. */
export function artifactItem(site: Site, { report, flow, state, attestations, repo }: JudgedReport): ArtifactListItem {
  const { fingerprint, first, latest } = report;
  const changedAt = attestations.reduce((last, { at }) => Math.max(last, at), latest?.at ?? first.reportedAt);
  return {
    id: first.artifactId,
    filename: first.filename,
    flow_name: flow.name,
    trail_name: first.trail,
    template_reference_name: first.template,
    fingerprint,
    created_at: first.reportedAt / 1000,
    last_modified_at: isoTime(changedAt),
    git_commit: first.gitCommit,
    git_commit_info: first.commit === null ? null : commitAnswer(first.commit),
    repo_info: repo && repoInfo(repo),
    repo_url: repo?.url || null,
    ...addresses(site, report, flow.name),
    state,
    evidence: Object.fromEntries(
      attestations.toReversed().map((attestation) => [attestation.name, evidenceAnswer(attestation)]),
    ),
  };
}

/**
 * Builds the API answer for an artifact.
 *
 * @param newest its newest report; null if it is not known
 * @param history the attestations of its history
 */
export function artifactAnswer(
  site: Site,
  judgedReport: JudgedReport,
  newest: ArtifactReported['data'] | null,
  runs: ArtifactRuns,
  history: readonly HistoryEntry[],
): ArtifactAnswer {
  const { first } = judgedReport.report;
  const { description, template, isCompliant, userData } = newest?.details ?? {};
  return {
    ...artifactItem(site, judgedReport),
    description: description ?? null,
    template: template ?? null,
    is_compliant: isCompliant ?? null,
    user_data: userData ?? null,
    annotations: newest?.annotations ?? {},
    external_urls: newest?.externalUrls ?? {},
    state_info: STATES[judgedReport.state],
    commit_lead_times: leadTimes(runs, first.commit?.timestamp),
    build_lead_times: leadTimes(runs, first.reportedAt / 1000),
    running: runs.running.map(runningPlaceAnswer),
    exited: runs.exited.map(placeAnswer),
    history: historyAnswer(runs, judgedReport, history),
  };
}

const STATES: Readonly<Record<TrailState, string>> = {
  COMPLIANT: 'All required attestations are compliant',
  'NON-COMPLIANT': 'A required attestation is not compliant',
  INCOMPLETE: 'A required attestation is missing',
};

function repoInfo({ name, externalId, url, description, provider }: Repo) {
  return { name, id: externalId, url, description, provider };
}

function evidenceAnswer({ type, compliant, at }: AttestationDocument) {
  return { evidence_type: type, is_compliant: compliant, created_at: isoTime(at), has_audit_package: true };
}

/** Returns the addresses of an artifact, its commit and its build. Addresses of a later report replace those of the first. */
function addresses(site: Site, { fingerprint, first, latest }: JudgedReport['report'], flow: string) {
  return {
    commit_url: latest?.commitUrl ?? first.commitUrl ?? '',
    build_url: latest?.buildUrl ?? first.buildUrl ?? '',
    html_url: links.artifactPage(site, flow, fingerprint, first.artifactId),
    api_url: links.artifact(site, flow, fingerprint),
  };
}

/** @param at integer milliseconds */
function isoTime(at: number): string {
  return new Date(at).toISOString();
}

/** Returns the seconds from a time to the start in each environment, if both are known and the start is not earlier. */
function leadTimes({ running }: ArtifactRuns, from: number | null | undefined): Readonly<Record<string, number>> {
  const begun = plausibleTime(from);
  const leads = running.flatMap(({ environment, startedAt }) => {
    const started = plausibleTime(startedAt);
    return begun === null || started === null || started < begun ? [] : [[environment, started - begun] as const];
  });
  return Object.fromEntries(leads);
}

/** An artifact in search results. */
export function artifactResult(
  site: Site,
  judgedReport: JudgedReport,
  runs: ArtifactRuns,
  history: readonly HistoryEntry[],
): SearchAnswer['artifacts'][number] {
  const { report, flow, state } = judgedReport;
  const { fingerprint, first } = report;
  return {
    fingerprint,
    name: first.filename,
    flow: flow.name,
    pipeline: flow.name,
    trail: first.trail ?? '',
    template_reference_name: first.template ?? '',
    git_commit: first.gitCommit,
    has_provenance: true,
    ...addresses(site, report, flow.name),
    compliance_state: state,
    ...places(runs),
    history: historyAnswer(runs, judgedReport, history),
  };
}

/** A running artifact that no flow has reported. */
export function unknownArtifact(
  name: string,
  fingerprint: string,
  runs: ArtifactRuns,
): SearchAnswer['artifacts'][number] {
  const emptyReport = {
    flow: '',
    pipeline: '',
    trail: '',
    template_reference_name: '',
    git_commit: '',
    commit_url: '',
    build_url: '',
    html_url: '',
    api_url: '',
  };
  return {
    fingerprint,
    name,
    ...emptyReport,
    has_provenance: false,
    compliance_state: '',
    ...places(runs),
    history: historyAnswer(runs, null, []),
  };
}

function places({ running, exited }: ArtifactRuns) {
  return {
    running_in: running.map(({ environment }) => environment),
    running: running.map(runningPlaceAnswer),
    exited_from: exited.map(({ environment }) => environment),
  };
}

function placeAnswer({ environment, snapshot }: RunLocation) {
  return { environment_name: environment, snapshot_index: snapshot };
}

function runningPlaceAnswer(place: RunningLocation) {
  return { ...placeAnswer(place), compliant: place.compliant };
}

/** Returns the history: first the report, then attestations and runs. */
function historyAnswer(
  { history }: ArtifactRuns,
  report: Pick<JudgedReport, 'report'> | null,
  attested: readonly HistoryEntry[],
): ArtifactAnswer['history'] {
  const first = report?.report.first;
  const reported =
    first === undefined
      ? []
      : [{ event: `${first.template ?? 'artifact'} reported`, timestamp: first.reportedAt / 1000 }];
  const later = [...attested, ...history].sort((a, b) => a.at - b.at);
  return [...reported, ...later.map(({ event, at }) => ({ event, timestamp: at / 1000 }))];
}
