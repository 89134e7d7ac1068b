import type { PolicyRules, TimedException } from '@assurance/contracts/policies/events';

/** When exceptions of rules end: each moment once, ascending (integer milliseconds). */
export function endsOf({
  sbom,
  components,
  vulnerabilities,
}: Pick<PolicyRules, 'sbom' | 'components' | 'vulnerabilities'>): readonly number[] {
  const all = [sbom, components, vulnerabilities].flatMap((rule): readonly TimedException[] => rule?.exceptions ?? []);
  return [...new Set(all.flatMap(({ until }) => (until === null ? [] : [until])))].sort((a, b) => a - b);
}

/**
 * The rules at a time, without the exceptions that have ended by then.
 *
 * @param at integer milliseconds
 */
export function rulesAt(rules: PolicyRules, at: number): PolicyRules {
  const [first] = endsOf(rules);
  if (first === undefined || first > at) return rules;
  const { sbom, components, vulnerabilities } = rules;
  return {
    ...rules,
    ...(sbom === undefined ? {} : { sbom: { ...sbom, exceptions: inForce(sbom.exceptions, at) } }),
    ...(components === undefined
      ? {}
      : { components: { ...components, exceptions: inForce(components.exceptions, at) } }),
    ...(vulnerabilities === undefined
      ? {}
      : { vulnerabilities: { ...vulnerabilities, exceptions: inForce(vulnerabilities.exceptions, at) } }),
  };
}

function inForce<T extends TimedException>(exceptions: readonly T[], at: number): T[] {
  return exceptions.filter(({ until }) => until === null || until > at);
}
