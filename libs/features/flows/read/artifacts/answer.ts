import type { ArtifactAnswer, ArtifactListItem, SearchAnswer } from '@assurance/contracts/flows/answers/artifact';
import { links, type Site } from '@assurance/contracts/http/links';
import type { Moment, Place, Runs } from './runs';
import type { Judged } from './states';

/**
 * An artifact as the wire shows it.
 *
 * @param attested what its history tells of attestations
 */
export function artifactAnswer(
  site: Site,
  { report, flow, state }: Judged,
  runs: Runs,
  attested: readonly Moment[],
): ArtifactAnswer {
  const { fingerprint, first } = report;
  return {
    filename: first.filename,
    flow_name: flow.name,
    trail_name: first.trail,
    template_reference_name: first.template,
    fingerprint,
    created_at: first.reportedAt / 1000,
    git_commit: first.gitCommit,
    commit_url: first.commitUrl ?? '',
    build_url: first.buildUrl ?? '',
    html_url: links.artifactPage(site, flow.name, fingerprint, first.artifactId),
    state,
    running: runs.running.map(placeAnswer),
    exited: runs.exited.map(placeAnswer),
    history: historyAnswer(runs, { report }, attested),
  };
}

/** An artifact in a list. */
export function artifactItem({ report: { fingerprint, first }, state }: Judged): ArtifactListItem {
  const { gitCommit, filename, reportedAt } = first;
  return { git_commit: gitCommit, filename, fingerprint, state, created_at: reportedAt / 1000 };
}

/** An artifact that a search found. */
export function foundArtifact(
  site: Site,
  found: Judged,
  runs: Runs,
  attested: readonly Moment[],
): SearchAnswer['artifacts'][number] {
  const { report, flow, state } = found;
  const { fingerprint, first } = report;
  return {
    fingerprint,
    name: first.filename,
    flow: flow.name,
    git_commit: first.gitCommit,
    has_provenance: true,
    commit_url: first.commitUrl ?? '',
    build_url: first.buildUrl ?? '',
    html_url: links.artifactPage(site, flow.name, fingerprint, first.artifactId),
    compliance_state: state,
    ...places(runs),
    history: historyAnswer(runs, found, attested),
  };
}

/** An artifact that runs and that no flow knows. */
export function unknownArtifact(name: string, fingerprint: string, runs: Runs): SearchAnswer['artifacts'][number] {
  const nothing = { flow: '', git_commit: '', commit_url: '', build_url: '', html_url: '' };
  return {
    fingerprint,
    name,
    ...nothing,
    has_provenance: false,
    compliance_state: null,
    ...places(runs),
    history: historyAnswer(runs, null, []),
  };
}

function places({ running, exited }: Runs) {
  return {
    running_in: running.map(({ environment }) => environment),
    exited_from: exited.map(({ environment }) => environment),
  };
}

function placeAnswer({ environment, snapshot }: Place) {
  return { environment_name: environment, snapshot_index: snapshot };
}

/** First that it was reported, then what was attested and where it ran. */
function historyAnswer(
  { history }: Runs,
  known: Pick<Judged, 'report'> | null,
  attested: readonly Moment[],
): ArtifactAnswer['history'] {
  const first = known?.report.first;
  const reported =
    first === undefined
      ? []
      : [{ event: `${first.template ?? 'artifact'} reported`, timestamp: first.reportedAt / 1000 }];
  const later = [...attested, ...history].sort((a, b) => a.at - b.at);
  return [...reported, ...later.map(({ event, at }) => ({ event, timestamp: at / 1000 }))];
}
