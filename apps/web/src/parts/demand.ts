import type { Schemas } from '../api/client';
import { wordsOf } from '../ui';

const FAILURES: Readonly<Record<string, string>> = {
  missing_sbom: 'No SBOM',
  incomplete_sbom: 'Incomplete SBOM',
  missing_vulnerabilities: 'No database of vulnerabilities',
  unmatched_components: 'Components not compared yet',
  incomparable_components: 'Components that no database can be compared with',
  empty_sbom: 'An SBOM without components',
  non_compliant_attestation: 'Non-compliant attestation',
  non_compliant_in_trail: 'Non-compliant trail',
  not_judged: 'The policy took longer than it may',
};

/** How a rule is violated, such as `Missing attestation`. */
export const failureOf = ({ resolution }: { readonly resolution: string | null }): string =>
  resolution === null ? 'No provenance' : (FAILURES[resolution] ?? wordsOf(resolution));

type Cause = Schemas['FailureCause'];

/**
 * Groups causes by the way in which artifacts fail, most frequent first. The same requirement of several policies is one failure, with its plainest
 * requirement first.
 */
export function failuresOf(causes: readonly Cause[]): readonly (readonly [Cause, ...Cause[]])[] {
  const failures = new Map<string, [Cause, ...Cause[]]>();
  for (const cause of causes) {
    const causesOfFailure = failures.get(cause.failure);
    if (causesOfFailure === undefined) failures.set(cause.failure, [cause]);
    else if (cause.rule.type === 'provenance') causesOfFailure.unshift(cause);
    else causesOfFailure.push(cause);
  }
  return [...failures.values()].sort(([a], [b]) => b.failure_count - a.failure_count);
}

/** The requirement of a rule, as a sentence. */
export function demandOf({ rule }: Pick<Schemas['RuleEvaluation'], 'rule'>): string {
  const { type, definition } = rule;
  if (type === 'provenance') return 'It is known where the artifact comes from';
  if (type === 'trail-compliance') return 'The trail complies with its template';
  if (type === 'sbom') return 'The artifact has an SBOM';
  if (type === 'vulnerabilities') {
    return 'No component has a vulnerability that is worse than may be';
  }
  if (type === 'components') return 'The SBOM lists no denied component';
  if (!('must_be_compliant' in definition)) return wordsOf(type);
  const namePart = definition.name === '*' ? '' : ` named ${definition.name}`;
  const kind = definition.type === '*' ? 'An attestation' : `An attestation of type ${definition.type}`;
  return `${kind}${namePart} is there${definition.must_be_compliant ? ' and complies' : ''}`;
}
