/** What a component says of itself that licences are about. */
interface Licensed {
  readonly name: string;
  readonly licences: readonly string[];
}

export interface Licence {
  /** As SBOMs have it; null: the SBOM says none. */
  readonly licence: string | null;
  /** Names of the components with it. */
  readonly components: readonly string[];
}

/** The licences of components: the most frequent first, and last how many have none. A component with several counts for each. */
export function licencesOf(components: readonly Licensed[]): readonly Licence[] {
  const pairs = components.flatMap(({ name, licences }) =>
    (licences.length === 0 ? [null] : [...new Set(licences)]).map((licence) => ({ name, licence })),
  );
  return [...Map.groupBy(pairs, ({ licence }) => licence)]
    .map(([licence, all]) => ({ licence, components: all.map(({ name }) => name) }))
    .sort((a, b) => Number(a.licence === null) - Number(b.licence === null) || byCount(a, b));
}

const byCount = (a: Licence, b: Licence) =>
  b.components.length - a.components.length || (a.licence ?? '').localeCompare(b.licence ?? '');

/** Stands in an address for components of which no licence is stated. */
export const NOT_STATED = '-';

interface Searched extends Licensed {
  readonly version: string | null;
  readonly purl: string | null;
}

/**
 * The components with a text in their name, version or package URL, in any letter case.
 *
 * @param licence only those with it, or `NOT_STATED`; empty for all
 */
export function matching<One extends Searched>(
  components: readonly One[],
  text: string,
  licence: string,
): readonly One[] {
  const part = text.trim().toLowerCase();
  return components.filter(
    ({ name, version, purl, licences }) =>
      [name, version, purl].some((one) => one?.toLowerCase().includes(part)) &&
      (licence === '' || (licence === NOT_STATED ? licences.length === 0 : licences.includes(licence))),
  );
}
