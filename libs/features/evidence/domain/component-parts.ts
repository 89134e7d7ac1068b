import type { ListedComponent } from '@assurance/contracts/evidence/events';
import { beginningOf, canonicalJson, compareTexts, contentParts, type PartBounds } from '@assurance/kernel';
import { isComparable } from './ecosystems';
import { completePurl } from './purl';

/** The most distinct components of an SBOM that are recorded. The others are counted. */
export const COMPONENTS_RECORDED_MAX = 20_000;
/** The most characters of a recorded name, version and licence. Longer texts are cut. */
export const COMPONENT_TEXT_MAX = 512;
/** Limits of a part. A view keeps each part in one document. */
const PARTS: PartBounds = { mean: 128, items: 512, bytes: 256 * 1024 };

/** A component as a document describes it. */
export interface DescribedComponent {
  readonly name: string;
  readonly version: string | null;
  readonly purl: string | null;
  readonly sha256: string | null;
  readonly licences?: readonly string[];
  /** The source package from which a distribution built it: `name` or `name@version`. */
  readonly source?: string;
  /** True if no database of vulnerabilities lists things of its kind, such as files. */
  readonly isOther?: true;
}

/** The components of an SBOM in their recorded form. */
export interface ComponentParts {
  readonly parts: readonly (readonly ListedComponent[])[];
  /** How many distinct components beyond the limit are left out. */
  readonly left: number;
  /** How many of the recorded components are packages that no database of vulnerabilities can list under their package URL, or that have none. */
  readonly unmatched: number;
}

/**
 * Returns the distinct components of an SBOM, sorted and divided into parts. SBOMs with mostly the same components share parts.
 *
 * @param components in the order of the document; beyond the limit, later components are left out
 */
export function componentParts(components: Iterable<DescribedComponent>): ComponentParts {
  const first = new Map<string, DescribedComponent>();
  const remainingPurls = new Set<string>();
  for (const describedComponent of components) {
    const key = JSON.stringify([
      describedComponent.purl,
      describedComponent.name,
      describedComponent.version,
      describedComponent.sha256,
    ]);
    if (first.has(key)) continue;
    if (first.size < COMPONENTS_RECORDED_MAX) first.set(key, describedComponent);
    else remainingPurls.add(key);
  }
  const recordedComponents = new Map<string, ListedComponent>();
  let unmatched = 0;
  for (const describedComponent of first.values()) {
    const { component, isMatched } = listedComponentOf(describedComponent);
    if (!isMatched) unmatched += 1;
    recordedComponents.set(canonicalJson(component), component);
  }
  const sorted = [...recordedComponents].map(([json, item]) => ({ json, item, key: keyOf(item) }));
  sorted.sort((a, b) => compareTexts(a.key, b.key) || compareTexts(a.json, b.json));
  return { parts: contentParts(sorted, PARTS), left: remainingPurls.size, unmatched };
}

function listedComponentOf({
  name,
  version,
  purl,
  sha256: digest,
  licences = [],
  source,
  isOther,
}: DescribedComponent): { readonly component: ListedComponent; readonly isMatched: boolean } {
  const read = purl === null ? null : completePurl(purl, version, source);
  const component = {
    purl: read?.text ?? null,
    name: truncateText(name),
    version: version === null ? (read?.version ?? null) : truncateText(version),
    licences: licences.map(truncateText),
    sha256: digest,
  };
  // What has no version is compared with nothing, whatever lists it.
  const isPackage = isOther !== true && component.version !== null && component.version !== '';
  return { component, isMatched: !isPackage || (read !== null && isComparable(read)) };
}

/** Sorts by package, so that versions of one package are next to each other. */
function keyOf({ purl, name, version }: ListedComponent): string {
  return purl ?? `${name}@${version ?? ''}`;
}

function truncateText(text: string): string {
  return beginningOf(text.toWellFormed(), COMPONENT_TEXT_MAX);
}
