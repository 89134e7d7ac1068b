import type { VulnerableArtifact } from '@assurance/contracts/vulnerabilities/answers/vulnerabilities';
import type { VexStatement } from '@assurance/contracts/vulnerabilities/events';
import type { Vulnerability } from './groups';
import { type ExposedArtifact, sourcesOf } from './scanned';
import type { VexStates } from './vex-states';

/** The most entries of a match, and the most fixed versions, in an answer. */
const NAMED_MAX = 20;

/** Describes an artifact with a component that has a vulnerability. */
export function exposedRow(
  { entries: own, linked, matches }: Vulnerability,
  { fingerprint, purl, place, findings }: ExposedArtifact,
  states: VexStates,
): Pick<VulnerableArtifact, 'certain' | 'entries' | 'sources' | 'fixed_in' | 'vex'> {
  const match = place === null ? undefined : matches.get(purl);
  const entries = match?.entries ?? [];
  const fixedIn = [...(match?.fixedIn ?? []), ...findings.flatMap(({ finding }) => finding.fixedIn)];
  return {
    certain: match?.certain === true || findings.length > 0,
    entries: entries.slice(0, NAMED_MAX),
    sources: sourcesOf(
      [...own, ...linked].filter(({ id }) => entries.includes(id)),
      findings,
    ),
    fixed_in: [...new Set(fixedIn)].slice(0, NAMED_MAX),
    vex: stateOf(states.of(fingerprint, purl)),
  };
}

function stateOf(statement: VexStatement | null): VulnerableArtifact['vex'] {
  if (statement === null) return null;
  const { status, justification, by, at } = statement;
  return { status, justification, by, at: at === null ? null : at / 1_000 };
}
