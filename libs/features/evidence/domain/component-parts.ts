import type { ListedComponent } from '@assurance/contracts/evidence/events';
import { beginningOf, byteLength, canonicalJson, compareTexts, sha256 } from '@assurance/kernel';
import { readPurl } from './purl';

/** The most different components of a bill of materials that are recorded. Those beyond are counted. */
export const COMPONENTS_RECORDED_MAX = 20_000;
/** The most characters of a name, a version and a licence that are recorded. Longer ones are cut. */
export const COMPONENT_TEXT_MAX = 512;
/** A part ends behind a component whose digest begins so: behind each 128th on average. */
const PART_MEAN = 128;
/** The most components of a part. */
const PART_MAX = 512;
/** A part ends behind the component with which its JSON passes so many bytes: a view keeps it in one document. */
const PART_BYTES = 256 * 1024;

/** A component as a document describes it. */
export interface DescribedComponent {
  readonly name: string;
  readonly version: string | null;
  readonly purl: string | null;
  readonly sha256: string | null;
  readonly licences?: readonly string[];
}

/** The components of a bill of materials as they are recorded. */
export interface ComponentParts {
  readonly parts: readonly (readonly ListedComponent[])[];
  /** How many different components are left out beyond the limit. */
  readonly left: number;
}

/**
 * The different components of a bill of materials, sorted, in parts. A part ends where the digest of a component says so, not at a position: so lists
 * that differ in some components share all other parts.
 *
 * @param described in the order of the document: beyond the limit the later ones are left out
 */
export function componentParts(described: Iterable<DescribedComponent>): ComponentParts {
  const first = new Map<string, DescribedComponent>();
  const remaining = new Set<string>();
  for (const describedComponent of described) {
    const key = JSON.stringify([
      describedComponent.purl,
      describedComponent.name,
      describedComponent.version,
      describedComponent.sha256,
    ]);
    if (first.has(key)) continue;
    if (first.size < COMPONENTS_RECORDED_MAX) first.set(key, describedComponent);
    else remaining.add(key);
  }
  const recorded = new Map<string, ListedComponent>();
  for (const describedComponent of first.values()) {
    const component = listedComponentOf(describedComponent);
    recorded.set(canonicalJson(component), component);
  }
  const sorted = [...recorded].map(([json, component]) => ({ json, component, key: keyOf(component) }));
  sorted.sort((a, b) => compareTexts(a.key, b.key) || compareTexts(a.json, b.json));
  const parts: ListedComponent[][] = [];
  let part: ListedComponent[] = [];
  let bytes = 0;
  for (const { json, component } of sorted) {
    part.push(component);
    bytes += byteLength(json);
    if (part.length < PART_MAX && bytes <= PART_BYTES && !endsPart(json)) continue;
    parts.push(part);
    [part, bytes] = [[], 0];
  }
  if (part.length > 0) parts.push(part);
  return { parts, left: remaining.size };
}

function listedComponentOf({
  name,
  version,
  purl,
  sha256: digest,
  licences = [],
}: DescribedComponent): ListedComponent {
  const read = purl === null ? null : readPurl(purl);
  return {
    purl: read?.text ?? null,
    name: truncateText(name),
    version: version === null ? (read?.version ?? null) : truncateText(version),
    licences: licences.map(truncateText),
    sha256: digest,
  };
}

/** By package: equal packages of different versions stand beside each other. */
function keyOf({ purl, name, version }: ListedComponent): string {
  return purl ?? `${name}@${version ?? ''}`;
}

function endsPart(json: string): boolean {
  return parseInt(sha256(json).slice(0, 6), 16) % PART_MEAN === 0;
}

function truncateText(text: string): string {
  return beginningOf(text.toWellFormed(), COMPONENT_TEXT_MAX);
}
