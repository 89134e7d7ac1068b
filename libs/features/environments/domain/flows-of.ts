import type { Running } from '@assurance/contracts/environments/documents';
import type { DeploymentDiff, RunningProvenance } from '@assurance/contracts/environments/events';
import type { Provenance } from '@assurance/contracts/flows/events';
import type { JudgedTrail } from '@assurance/contracts/policies/events';
import { compareUrl } from '@assurance/flows/domain/url';
import { groupBy } from '@assurance/kernel';
import type { PreviousArtifact, ReportFacts } from './facts';
import { leadTimeOf } from './start';

/** The provenance of a running artifact in each flow and trail, first report first. */
export type FlowsOf = (artifact: Pick<Running, 'fingerprint' | 'since'>) => RunningProvenance[];

/** The artifact that an artifact of this provenance followed; null if no artifact of its template ran before. */
type PreviousLookup = (
  artifact: { readonly fingerprint: string; readonly since: { readonly snapshot: number } },
  provenance: Provenance,
) => PreviousArtifact | null;

type ProvenanceFacts = Pick<ReportFacts, 'provenanceOf' | 'ranBefore'>;

/**
 * Adds to each provenance of an artifact the details that depend on the environment: the lead time and the artifact before it.
 *
 * @param leavingArtifacts artifacts that leave in this snapshot: their provenance may have arrived after they had started
 */
export function flowsReader(
  facts: ProvenanceFacts & Pick<ReportFacts, 'stateOf'>,
  leavingArtifacts: readonly Running[],
): FlowsOf {
  const previousOf = previousReader(facts, leavingArtifacts);
  return (artifact) =>
    facts.provenanceOf(artifact.fingerprint).map((provenance) => {
      const previous = previousOf(artifact, provenance);
      const state = previous === null ? null : facts.stateOf(previous);
      return {
        ...provenance,
        leadTime: leadTimeOf(artifact.since.deployedAt, provenance.commit?.timestamp),
        deploymentDiff: previous === null ? null : diffOf(provenance, previous, state),
      };
    });
}

/** The artifacts that some artifacts followed. `stateOf` must know them. */
export function previousArtifacts(
  facts: ProvenanceFacts,
  leavingArtifacts: readonly Running[],
  artifacts: readonly { readonly fingerprint: string; readonly since: { readonly snapshot: number } }[],
): PreviousArtifact[] {
  const previousOf = previousReader(facts, leavingArtifacts);
  return artifacts.flatMap((artifact) =>
    facts.provenanceOf(artifact.fingerprint).flatMap((provenance) => previousOf(artifact, provenance) ?? []),
  );
}

function previousReader(facts: ProvenanceFacts, leavingArtifacts: readonly Running[]): PreviousLookup {
  const previous = leavingArtifacts.flatMap((artifact) =>
    previousRunsOf(artifact, facts.provenanceOf(artifact.fingerprint)),
  );
  const byTemplate = groupBy(previous, ({ flow, template }) => templateKey(flow, template));
  const lastStartOf = new Map([...byTemplate].map(([key, all]) => [key, lastStarts(all)] as const));
  return ({ fingerprint, since }, { flow, template }) => {
    if (template === null) return null;
    const before = facts
      .ranBefore(flow.id, template, since.snapshot)
      .filter((start) => start.fingerprint !== fingerprint && start.since < since.snapshot);
    const last = lastStartOf.get(templateKey(flow.id, template))?.(fingerprint, since.snapshot) ?? null;
    return newestRunBefore(last === null ? before : [...before, last], since.snapshot);
  };
}

/**
 * Finds, among artifacts that leave together, the other one that started last before a snapshot; of several, the first. The list is sorted
 * once, and each look-up is a binary search, because a report may start and end 20,000 artifacts of one template.
 */
function lastStarts(
  previous: readonly PreviousArtifact[],
): (fingerprint: string, snapshot: number) => PreviousArtifact | null {
  const sorted = previous.toReversed().sort((a, b) => a.since - b.since);
  // For each index, the nearest different artifact before it.
  const differentBefore: (PreviousArtifact | null)[] = [];
  for (const [i, artifact] of sorted.entries()) {
    const before = sorted[i - 1] ?? null;
    differentBefore.push(before?.fingerprint === artifact.fingerprint ? (differentBefore[i - 1] ?? null) : before);
  }
  return (fingerprint, snapshot) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sorted[middle] as PreviousArtifact).since < snapshot) low = middle + 1;
      else high = middle;
    }
    const last = sorted[low - 1] ?? null;
    return last?.fingerprint === fingerprint ? (differentBefore[low - 1] ?? null) : last;
  };
}

function templateKey(flow: string, template: string): string {
  return `${flow}\n${template}`;
}

/** The run of a leaving artifact, which ends with this snapshot. */
function previousRunsOf({ fingerprint, name, since }: Running, provenance: readonly Provenance[]): PreviousArtifact[] {
  return provenance.flatMap(({ flow, template, gitCommit, commitUrl, trail, repo }) => {
    if (template === null) return [];
    const from = { flow: flow.id, template, gitCommit, commitUrl, trail, repo: repo?.id ?? null };
    return [{ fingerprint, name, ...from, since: since.snapshot, until: null }];
  });
}

/** The run that ended last before a snapshot, or that still ran then; of several, the one that started last. */
function newestRunBefore(ran: readonly PreviousArtifact[], snapshot: number): PreviousArtifact | null {
  const end = ({ until }: PreviousArtifact) => Math.min(until ?? snapshot, snapshot);
  return ran.reduce<PreviousArtifact | null>((last, next) => {
    if (last === null) return next;
    return (end(next) - end(last) || next.since - last.since) > 0 ? next : last;
  }, null);
}

function diffOf(
  { repo, gitCommit: commit }: Provenance,
  previous: PreviousArtifact,
  state: JudgedTrail['status'] | null,
): DeploymentDiff {
  const { fingerprint, name, gitCommit, commitUrl, trail, template } = previous;
  const before = repo === null || previous.repo !== repo.id ? null : { repo, commit: gitCommit };
  return {
    diffUrl: compareUrl(before, { repo, commit }),
    previous: { fingerprint, name, gitCommit, commitUrl, trail, template, ...(state === null ? {} : { state }) },
  };
}
