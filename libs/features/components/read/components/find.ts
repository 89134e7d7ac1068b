import type { ListedComponent } from '@assurance/contracts/evidence/events';
import { Slices } from '@assurance/kernel';
import { type Documents, findPages, pagesAmong, type Query } from '@assurance/storage-ports';
import { compareVersions } from '../../domain/versions/compare';
import { ecosystemOf } from '../../domain/versions/ecosystem';
import { type Range, rangeMatcher } from '../../domain/versions/range';
import { addTo, type ComponentLocation } from './parts';
import {
  baseOf,
  componentDigest,
  type ComponentRow,
  componentRows,
  type ComponentUse,
  componentUses,
  partUses,
  sbomRows,
} from './rows';

/** How many documents a read brings at once. */
const PAGE = 1_000;
/** The most components of a package or a name, their places, and pairs of one and a bill of materials, or an artifact, that one question goes through. */
export const SEARCH_MAX: { readonly matches: number } = { matches: 50_000 };

/** The type of a package URL in its canonical form. */
const TYPE = /^pkg:([^/]+)\//;

/** Which components are requested: of a package, or of a name. */
export interface ComponentQuestion {
  readonly by: { readonly package: string } | { readonly name: string };
  /** This very version; null for all. */
  readonly version: string | null;
  /** Null for all. */
  readonly range: Range | null;
}

/** Components by the digest of the part that lists them. */
export type LocationsByPart = Map<string, ComponentLocation[]>;

export interface MatchingComponents {
  readonly matching: LocationsByPart;
  /** Components whose version cannot be compared with the requested versions: digests by key. */
  readonly unsure: ReadonlyMap<string, string>;
}

/** The components that a question is about; `too-many` beyond the limit. */
export async function findComponents(
  documents: Documents,
  org: string,
  question: ComponentQuestion,
): Promise<MatchingComponents | 'too-many'> {
  const { by } = question;
  const where: Query['where'] = 'package' in by ? { org, package: by.package } : { org, base: baseOf(by.name) };
  const [matching, unsure] = [new Map<string, string>(), new Map<string, string>()];
  const isRequested = versionMatcher(question);
  const slices = new Slices();
  let count = 0;
  for await (const page of findPages(documents.collection(componentRows), { where }, PAGE)) {
    if ((count += page.length) > SEARCH_MAX.matches) return 'too-many';
    for (const { doc } of page) {
      await slices.pause();
      if (!hasRequestedName(doc, by)) continue;
      const fits = isRequested(doc);
      if (fits === true) matching.set(componentDigest(doc), componentKey(doc));
      else if (fits === undefined) unsure.set(componentKey(doc), componentDigest(doc));
    }
  }
  const locations = await locateComponents(documents, org, matching);
  return locations === 'too-many' ? locations : { matching: locations, unsure };
}

/**
 * Where some components are listed; `too-many` beyond the limit.
 *
 * @param components keys by digest
 */
export async function locateComponents(
  documents: Documents,
  org: string,
  components: ReadonlyMap<string, string>,
): Promise<LocationsByPart | 'too-many'> {
  const locations: LocationsByPart = new Map();
  const slices = new Slices();
  let count = 0;
  const pages = pagesAmong(documents.collection(componentUses), { org }, 'component', components.keys(), PAGE);
  for await (const page of pages) {
    if ((count += page.length) > SEARCH_MAX.matches) return 'too-many';
    for (const { doc } of page) {
      await slices.pause();
      const { component, part, place } = doc;
      addTo(locations, part, { key: components.get(component) ?? '', part, place });
    }
  }
  return locations;
}

/** One place of each of some components. */
export async function anyPlaceOf(
  documents: Documents,
  org: string,
  digests: readonly string[],
): Promise<readonly ComponentUse[]> {
  const collection = documents.collection(componentUses);
  const uses = await Promise.all(digests.map((component) => collection.find({ where: { org, component }, limit: 1 })));
  return uses.flatMap(([use]) => use?.doc ?? []);
}

function hasRequestedName({ name }: ComponentRow, by: ComponentQuestion['by']): boolean {
  return !('name' in by) || !by.name.includes('/') || by.name.toLowerCase() === name.toLowerCase();
}

/** Whether a component has a requested version, undefined where nobody can say it. It compares each version once. */
function versionMatcher(question: ComponentQuestion): (component: ComponentRow) => boolean | undefined {
  const answers = new Map<string, boolean | undefined>();
  const isInRange = question.range === null ? null : rangeMatcher(question.range);
  return ({ purl, version }) => {
    const { range } = question;
    if (question.version === null && range === null) return true;
    if (version === null) return undefined;
    const ecosystem = ecosystemOf(TYPE.exec(purl ?? '')?.[1] ?? '');
    const key = `${ecosystem} ${version}`;
    if (!answers.has(key)) {
      const answer =
        question.version === null
          ? isInRange === null || isInRange(ecosystem, version)
          : version === question.version || compareVersions(ecosystem, version, question.version) === 0;
      answers.set(key, answer);
    }
    return answers.get(key);
  };
}

/** The bills of materials that count, with the requested components, by artifact; `too-many` beyond the limit. */
export async function artifactsWithComponents(
  documents: Documents,
  org: string,
  components: LocationsByPart,
): Promise<Map<string, ComponentLocation[]> | 'too-many'> {
  const bySbom = new Map<string, ComponentLocation[]>();
  const slices = new Slices();
  let count = 0;
  for await (const page of pagesAmong(documents.collection(partUses), { org }, 'part', components.keys(), PAGE)) {
    for (const { doc } of page) {
      await slices.pause();
      const locationsOfPart = components.get(doc.part) ?? [];
      if ((count += locationsOfPart.length) > SEARCH_MAX.matches) return 'too-many';
      for (const componentLocation of locationsOfPart) addTo(bySbom, doc.sbom, componentLocation);
    }
  }
  const artifacts = new Map<string, Map<string, ComponentLocation>>();
  count = 0;
  for await (const page of pagesAmong(documents.collection(sbomRows), { org }, 'sbom', bySbom.keys(), PAGE)) {
    for (const { doc } of page) {
      await slices.pause();
      const all = bySbom.get(doc.sbom) ?? [];
      if ((count += all.length) > SEARCH_MAX.matches) return 'too-many';
      const locationsOfArtifact = artifacts.get(doc.fingerprint) ?? new Map<string, ComponentLocation>();
      artifacts.set(doc.fingerprint, locationsOfArtifact);
      for (const componentLocation of all) locationsOfArtifact.set(componentLocation.key, componentLocation);
    }
  }
  return new Map([...artifacts].map(([fingerprint, own]) => [fingerprint, sortByKey(own.values())]));
}

/** Tells components from others: by package URL, else by name and version. */
export function componentKey({ purl, name, version }: Pick<ListedComponent, 'purl' | 'name' | 'version'>): string {
  return purl ?? `${name}@${version ?? ''}`;
}

function sortByKey(places: Iterable<ComponentLocation>): ComponentLocation[] {
  return [...places].sort((a, b) => (a.key < b.key ? -1 : 1));
}
