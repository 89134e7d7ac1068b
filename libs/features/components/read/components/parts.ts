import type { ListedComponent } from '@assurance/contracts/evidence/events';
import { addTo, pieces } from '@assurance/kernel';
import type { Documents } from '@assurance/storage-ports';
import { componentParts, type ComponentUse, partId } from './rows';

/** How many parts are read at once: each has up to some hundred KiB. */
const PARTS_TOGETHER = 32;

/** Digest of a part, and a place in it. */
type Place = Pick<ComponentUse, 'part' | 'place'>;

/** Where a component is listed: components are kept in memory only while their part is read, and where they are shown. */
export interface ComponentLocation extends Place {
  /** As `componentKey` makes it. */
  readonly key: string;
}

/** Parts with their components. */
export async function* readParts(
  documents: Documents,
  org: string,
  digests: Iterable<string>,
): AsyncGenerator<readonly [part: string, components: readonly ListedComponent[]]> {
  for (const group of pieces([...digests], PARTS_TOGETHER)) {
    const parts = await documents.collection(componentParts).getMany(group.map((part) => partId(org, part)));
    for (const part of group) yield [part, parts.get(partId(org, part))?.components ?? []];
  }
}

/** The components at some places. */
export async function componentsAt<T extends Place>(
  documents: Documents,
  org: string,
  places: readonly T[],
): Promise<ReadonlyMap<T, ListedComponent>> {
  const byPart = new Map<string, T[]>();
  for (const place of places) addTo(byPart, place.part, place);
  const byPlace = new Map<T, ListedComponent>();
  for await (const [part, components] of readParts(documents, org, byPart.keys())) {
    for (const place of byPart.get(part) ?? []) {
      const component = components[place.place];
      if (component !== undefined) byPlace.set(place, component);
    }
  }
  return byPlace;
}
