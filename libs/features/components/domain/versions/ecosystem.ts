const ECOSYSTEMS = [
  ...(['npm', 'maven', 'pypi', 'golang', 'deb', 'rpm', 'apk', 'gem', 'nuget', 'cargo', 'composer'] as const),
  ...(['cran', 'bitnami', 'generic'] as const),
] as const;

/** Whose rules order versions; named as the types of package URLs. `generic` has the rules that all share. */
export type Ecosystem = (typeof ECOSYSTEMS)[number];

/** The ecosystem of a type of package URLs (`maven` of `pkg:maven/…`), in any case; `generic` for types without rules of their own. */
export function ecosystemOf(purlType: string): Ecosystem {
  const type = purlType.toLowerCase();
  return ECOSYSTEMS.find((ecosystem) => ecosystem === type) ?? 'generic';
}
