import type { Environment } from '@assurance/contracts/environments/documents';
import type { PolicyDraftAnswer, PolicyDraftChange } from '@assurance/contracts/policies/answers/draft';
import type { ComparedCandidate } from './judge-by-both';
import type { UnjudgedCounts } from './judged-artifacts';

const CHANGES_MAX = 200;
const REASONS_MAX = 5;

interface DraftScope {
  /** The current version of the policy. */
  readonly version: number;
  readonly environments: readonly Environment[];
  /** Epoch seconds. */
  readonly window: { readonly start: number; readonly end: number };
  /** Running artifacts come first. */
  readonly judged: readonly ComparedCandidate[];
  readonly left: UnjudgedCounts & { readonly environments: number };
}

/** Builds the API answer: what a draft of a policy would change. */
export function draftAnswer({ version, environments, window, judged, left }: DraftScope): PolicyDraftAnswer {
  const runningArtifacts = judged.filter((comparedCandidate) => comparedCandidate.running);
  const deployedArtifacts = judged.filter(({ deployedAt }) => deployedAt !== null);
  const changes = judged.flatMap(changeOf);
  return {
    version,
    environments: environments.map(({ name }) => name),
    environments_not_judged: left.environments,
    running: { ...countsOf(runningArtifacts), not_judged: left.running + countUnjudged(runningArtifacts) },
    deployed: {
      start_ts: window.start,
      end_ts: window.end,
      ...countsOf(deployedArtifacts),
      not_judged: left.deployments + countUnjudged(deployedArtifacts),
    },
    changes: changes.slice(0, CHANGES_MAX),
    changes_not_listed: Math.max(0, changes.length - CHANGES_MAX),
  };
}

function countsOf(some: readonly ComparedCandidate[]) {
  const changes = some.flatMap(changeOf);
  const become = changes.filter(({ compliant }) => compliant).length;
  return {
    judged: some.length - countUnjudged(some),
    become_non_compliant: changes.length - become,
    become_compliant: become,
  };
}

function countUnjudged(some: readonly ComparedCandidate[]): number {
  return some.filter(({ verdicts }) => verdicts === null).length;
}

function changeOf({ environment, artifact, running, deployedAt, verdicts }: ComparedCandidate): PolicyDraftChange[] {
  if (verdicts === null || verdicts.current.compliant === verdicts.draft.compliant) return [];
  const { current, draft } = verdicts;
  const { reasons } = draft.compliant ? current : draft;
  return [
    {
      environment: environment.name,
      fingerprint: artifact.fingerprint,
      name: artifact.name,
      running,
      deployed_at: deployedAt,
      compliant: draft.compliant,
      reasons: reasons.slice(0, REASONS_MAX),
    },
  ];
}
