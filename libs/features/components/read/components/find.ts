import type { ListedComponent } from '@assurance/contracts/evidence/events';
import { batches } from '@assurance/event-sourcing/projection/batches';
import { readPurl } from '@assurance/evidence/domain/purl';
import { Slices } from '@assurance/kernel';
import { type Documents, foundPages, getAll, type Query } from '@assurance/storage-ports';
import { compareVersions } from '../../domain/versions/compare';
import { ecosystemOf } from '../../domain/versions/ecosystem';
import { inRange } from '../../domain/versions/range';
import { baseOf, componentParts, componentRows, partId, partUses, type SbomRow, sbomRows } from './rows';

/** How many documents a read brings at once. */
const PAGE = 1_000;
/** The most components of different parts, bills of materials, and artifacts that one question goes through. */
export const MATCHES_MAX = 50_000;

/** Which components are asked for: of a package, or of a name. */
export interface ComponentQuestion {
  readonly by: { readonly package: string } | { readonly name: string };
  /** This very version; null for all. */
  readonly version: string | null;
  /** Such as `>=2,<2.17`; null for all. */
  readonly range: string | null;
}

/** Components by the digest of the part that lists them. */
export type ByPart = Map<string, ListedComponent[]>;

export interface FoundComponents {
  readonly matching: ByPart;
  /** Those of which nobody can say whether their version is asked for. */
  readonly unsure: ByPart;
}

/** The components that a question is about; `too-many` beyond the limit. */
export async function findComponents(
  documents: Documents,
  org: string,
  question: ComponentQuestion,
): Promise<FoundComponents | 'too-many'> {
  const { by } = question;
  const where: Query['where'] = 'package' in by ? { org, package: by.package } : { org, base: baseOf(by.name) };
  const places = new Map<string, number[]>();
  let count = 0;
  const order = [
    ['part', 'asc'],
    ['place', 'asc'],
  ] as const;
  for await (const found of foundPages(documents.collection(componentRows), { where, order }, PAGE)) {
    for (const { doc } of found) places.set(doc.part, [...(places.get(doc.part) ?? []), doc.place]);
    count += found.length;
    if (count > MATCHES_MAX) return 'too-many';
  }
  const [matching, unsure]: [ByPart, ByPart] = [new Map(), new Map()];
  const slices = new Slices();
  for (const some of batches([...places.keys()])) {
    const parts = await documents.collection(componentParts).getMany(some.map((part) => partId(org, part)));
    for (const part of some) {
      for (const place of places.get(part) ?? []) {
        await slices.pause();
        const component = parts.get(partId(org, part))?.components[place];
        if (component === undefined || !isNamed(component, by)) continue;
        const fits = isAsked(component, question);
        if (fits === false) continue;
        const into = fits === true ? matching : unsure;
        into.set(part, [...(into.get(part) ?? []), component]);
      }
    }
  }
  return { matching, unsure };
}

function isNamed({ name }: ListedComponent, by: ComponentQuestion['by']): boolean {
  return !('name' in by) || !by.name.includes('/') || by.name.toLowerCase() === name.toLowerCase();
}

/** Undefined where nobody can say it. */
function isAsked({ purl, version }: ListedComponent, question: ComponentQuestion): boolean | undefined {
  const ecosystem = ecosystemOf(purl === null ? '' : (readPurl(purl)?.type ?? ''));
  if (question.version !== null) {
    if (version === null) return undefined;
    return version === question.version || compareVersions(ecosystem, version, question.version) === 0;
  }
  if (question.range === null) return true;
  return version === null ? undefined : inRange(ecosystem, version, question.range);
}

/** The bills of materials that count, with the components that are asked for, by artifact; `too-many` beyond the limit. */
export async function artifactsWith(
  documents: Documents,
  org: string,
  components: ByPart,
): Promise<Map<string, ListedComponent[]> | 'too-many'> {
  const bySbom = new Map<string, ListedComponent[]>();
  let count = 0;
  for (const parts of batches([...components.keys()])) {
    const where = { org, part: { in: parts } };
    for await (const found of foundPages(documents.collection(partUses), { where }, PAGE)) {
      for (const { doc } of found) {
        const own = components.get(doc.part) ?? [];
        bySbom.set(doc.sbom, [...(bySbom.get(doc.sbom) ?? []), ...own]);
      }
      if ((count += found.length) > MATCHES_MAX) return 'too-many';
    }
  }
  const artifacts = new Map<string, Map<string, ListedComponent>>();
  count = 0;
  for (const sboms of batches([...bySbom.keys()])) {
    const where = { org, sbom: { in: sboms } };
    for await (const found of foundPages(documents.collection(sbomRows), { where }, PAGE)) {
      for (const { doc } of found) {
        const own = artifacts.get(doc.fingerprint) ?? new Map<string, ListedComponent>();
        for (const one of bySbom.get(doc.sbom) ?? []) own.set(componentKey(one), one);
        artifacts.set(doc.fingerprint, own);
      }
      if ((count += found.length) > MATCHES_MAX) return 'too-many';
    }
  }
  return new Map([...artifacts].map(([fingerprint, own]) => [fingerprint, sorted(own.values())]));
}

/** What artifacts have: their components by `componentKey`, each with how many of the artifacts have it. */
export interface Inventory {
  readonly components: Map<string, { readonly component: ListedComponent; readonly artifacts: Set<string> }>;
}

/** The components of artifacts, each once; `too-many` beyond the limit. */
export async function componentsOf(
  documents: Documents,
  org: string,
  fingerprints: readonly string[],
): Promise<Inventory['components'] | 'too-many'> {
  const bySbom = new Map<string, string[]>();
  for (const some of batches(fingerprints)) {
    const where = { org, fingerprint: { in: some } };
    for await (const found of foundPages<SbomRow>(documents.collection(sbomRows), { where }, PAGE)) {
      for (const { doc } of found) bySbom.set(doc.sbom, [...(bySbom.get(doc.sbom) ?? []), doc.fingerprint]);
    }
  }
  const byPart = new Map<string, Set<string>>();
  for (const sboms of batches([...bySbom.keys()])) {
    const where = { org, sbom: { in: sboms } };
    for await (const found of foundPages(documents.collection(partUses), { where }, PAGE)) {
      for (const { doc } of found) {
        const own = byPart.get(doc.part) ?? new Set<string>();
        for (const fingerprint of bySbom.get(doc.sbom) ?? []) own.add(fingerprint);
        byPart.set(doc.part, own);
      }
    }
  }
  const components: Inventory['components'] = new Map();
  const slices = new Slices();
  for (const some of batches([...byPart.keys()])) {
    const parts = await getAll(
      documents.collection(componentParts),
      some.map((part) => partId(org, part)),
    );
    for (const part of some) {
      for (const component of parts.get(partId(org, part))?.components ?? []) {
        await slices.pause();
        const key = componentKey(component);
        const one = components.get(key) ?? { component, artifacts: new Set<string>() };
        for (const fingerprint of byPart.get(part) ?? []) one.artifacts.add(fingerprint);
        components.set(key, one);
      }
      if (components.size > MATCHES_MAX) return 'too-many';
    }
  }
  return components;
}

/** Tells components from others: by package URL, else by name and version. */
export function componentKey({ purl, name, version }: ListedComponent): string {
  return purl ?? `${name}@${version ?? ''}`;
}

function sorted(components: Iterable<ListedComponent>): ListedComponent[] {
  return [...components].sort((a, b) => (componentKey(a) < componentKey(b) ? -1 : 1));
}
