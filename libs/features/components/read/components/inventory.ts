import type { ListedComponent } from '@assurance/contracts/evidence/events';
import { addTo, Slices } from '@assurance/kernel';
import { type Documents, pagesAmong } from '@assurance/storage-ports';
import { componentKey } from './find';
import { componentsAt, readParts, type ComponentLocation } from './parts';
import { partUses, sbomRows } from './rows';
import { sortedInSlices } from './sorted';

/** How many documents a read brings at once, and of how many bills of materials the parts are looked for together. */
const PAGE = 1_000;
const TOGETHER = 50;

/** What one inventory goes through at most. All of it together is what it holds in memory. */
export const INVENTORY_MAX = {
  /** Different components. */
  components: 50_000,
  /** UTF-16 units of their keys together. */
  keys: 16 * 1024 * 1024,
  /** Bills of materials of its artifacts. */
  sboms: 50_000,
  /** Parts of these, each once for each bill of materials. */
  uses: 250_000,
  /** Components of different parts. */
  listed: 1_000_000,
} as const;

interface InventoryEntry extends ComponentLocation {
  /** Which parts list it. */
  readonly parts: number[];
}

/** What artifacts contain. Artifacts are kept by bill of materials, these by part, and parts by component: so that no row is needed for a pair of artifact and component. */
export class Inventory {
  /** @param keys of its components, ascending */
  constructor(
    readonly keys: readonly string[],
    private readonly components: ReadonlyMap<string, InventoryEntry>,
    private readonly sbomsOf: readonly (readonly number[])[],
    private readonly artifactsOf: readonly (readonly string[])[],
  ) {}

  get size(): number {
    return this.components.size;
  }

  has(key: string): boolean {
    return this.components.has(key);
  }

  /** Where a component is listed; null where none of the artifacts has it. */
  placeOf(key: string): ComponentLocation | null {
    return this.components.get(key) ?? null;
  }

  /** Components in the order of their keys. */
  async readComponents(documents: Documents, org: string, keys: readonly string[]): Promise<ListedComponent[]> {
    const places = keys.flatMap((key) => this.components.get(key) ?? []);
    const componentsByEntry = await componentsAt(documents, org, places);
    return places.flatMap((place) => componentsByEntry.get(place) ?? []);
  }

  /** The artifacts that have a component, ascending. */
  async artifactsWith(key: string): Promise<string[]> {
    const slices = new Slices();
    const fingerprints = new Set<string>();
    const sboms = new Set<number>();
    for (const part of this.components.get(key)?.parts ?? []) {
      await slices.pause();
      for (const sbom of this.sbomsOf[part] ?? []) sboms.add(sbom);
    }
    for (const sbom of sboms) {
      await slices.pause();
      for (const fingerprint of this.artifactsOf[sbom] ?? []) fingerprints.add(fingerprint);
    }
    return [...fingerprints].sort();
  }
}

/** The components of artifacts, each once; `too-many` beyond the limits. */
export async function inventoryOf(
  documents: Documents,
  org: string,
  fingerprints: readonly string[],
  max: Readonly<Record<keyof typeof INVENTORY_MAX, number>> = INVENTORY_MAX,
): Promise<Inventory | 'too-many'> {
  const bySbom = new Map<string, string[]>();
  let count = 0;
  for await (const page of pagesAmong(documents.collection(sbomRows), { org }, 'fingerprint', fingerprints, PAGE)) {
    for (const { doc } of page) addTo(bySbom, doc.sbom, doc.fingerprint);
    if ((count += page.length) > max.sboms) return 'too-many';
  }
  const sboms = new Map([...bySbom.keys()].map((sbom, i) => [sbom, i] as const));
  const byPart = new Map<string, number[]>();
  count = 0;
  for await (const page of pagesAmong(documents.collection(partUses), { org }, 'sbom', sboms.keys(), PAGE, TOGETHER)) {
    for (const { doc } of page) addTo(byPart, doc.part, sboms.get(doc.sbom) ?? -1);
    if ((count += page.length) > max.uses) return 'too-many';
  }
  const components = new Map<string, InventoryEntry>();
  const slices = new Slices();
  let [number, keys] = [0, 0];
  count = 0;
  for await (const [part, all] of readParts(documents, org, byPart.keys())) {
    for (const [place, component] of all.entries()) {
      await slices.pause();
      const key = componentKey(component);
      const listedEntry = components.get(key);
      listedEntry?.parts.push(number);
      if (listedEntry !== undefined) continue;
      components.set(key, { key, part, place, parts: [number] });
      keys += key.length;
    }
    number += 1;
    count += all.length;
    if (count > max.listed || components.size > max.components || keys > max.keys) return 'too-many';
  }
  return new Inventory(await sortedInSlices(components.keys()), components, [...byPart.values()], [...bySbom.values()]);
}
