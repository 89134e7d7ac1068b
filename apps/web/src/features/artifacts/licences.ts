/** The fields of a component that concern licences. */
interface LicensedComponent {
  readonly name: string;
  readonly licences: readonly string[];
}

export interface Licence {
  /** The licence as SBOMs write it; null: the SBOM states none. */
  readonly licence: string | null;
  /** Names of the components with this licence. */
  readonly components: readonly string[];
}

/**
 * The licences of components, most frequent first. The last entry counts components without a licence. A component with several licences counts for
 * each.
 */
export function licencesOf(components: readonly LicensedComponent[]): readonly Licence[] {
  const pairs = components.flatMap(({ name, licences }) =>
    (licences.length === 0 ? [null] : [...new Set(licences)]).map((licence) => ({ name, licence })),
  );
  return [...Map.groupBy(pairs, ({ licence }) => licence)]
    .map(([licence, all]) => ({ licence, components: all.map(({ name }) => name) }))
    .sort((a, b) => Number(a.licence === null) - Number(b.licence === null) || byCount(a, b));
}

const byCount = (a: Licence, b: Licence) =>
  b.components.length - a.components.length || (a.licence ?? '').localeCompare(b.licence ?? '');

/** In an address, means components without a stated licence. */
export const NOT_STATED = '-';

interface SearchableComponent extends LicensedComponent {
  readonly version: string | null;
  readonly purl: string | null;
}

/**
 * The components with a text in their name, version or package URL. The letter case does not matter.
 *
 * @param licence only components with this licence, or `NOT_STATED`; empty for all
 */
export function findMatching<One extends SearchableComponent>(
  components: readonly One[],
  text: string,
  licence: string,
): readonly One[] {
  const part = text.trim().toLowerCase();
  return components.filter(
    ({ name, version, purl, licences }) =>
      [name, version, purl].some((value) => value?.toLowerCase().includes(part)) &&
      (licence === '' || (licence === NOT_STATED ? licences.length === 0 : licences.includes(licence))),
  );
}
