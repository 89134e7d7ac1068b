import { getOrInsert } from '@assurance/kernel';
import type { CollectionShape } from '@assurance/contracts/events/aggregate';
import type { CollectionDefinition, Document, Documents } from '@assurance/storage-ports';
import { Inject, Injectable } from '@nestjs/common';
import { PORTS, type Ports } from '../tokens';
import { CheckpointWatch } from './checkpoint-watch';
import type { View } from './view';
import { BatchCheckpoints, checkpointsOf, ViewCheckpoints } from './view-checkpoints';

/** Which generation of a view serves queries, and which is being built. The document's id is the view's name. */
export interface GenerationDocument {
  readonly serving: number;
  /** The version of the view that built the serving generation; left out if it is unknown. */
  readonly version?: number;
  /** How many erasures of organizations were finished so far; left out before the first. */
  readonly erasures?: number;
  /** How many of these erasures were finished when the serving generation was begun. It has no rows of those organizations. */
  readonly without?: number;
  readonly building: number | null;
  /** Whether live events are also delivered to the generation that is being built. */
  readonly joined: boolean;
  /** Why the generation that is being built cannot serve; null while it can. */
  readonly failed: string | null;
  /** The highest number used so far. A number is never reused, so a late process cannot write into a newer generation. */
  readonly newest: number;
  /** Generations that must still be removed with their documents. */
  readonly leftovers: readonly number[];
}

const generations: CollectionShape<GenerationDocument> = { name: 'view_generations', indexes: [] };

const FIRST: GenerationDocument = {
  serving: 1,
  building: null,
  joined: false,
  failed: null,
  newest: 1,
  leftovers: [],
};

/** One generation of a view: its documents under the names that the view uses, and its checkpoints. */
export interface Generation {
  readonly view: View;
  readonly number: number;
  readonly documents: Documents;
  readonly checkpoints: ViewCheckpoints;
}

/** Manages the generations of views (docs/decisions: "A view is rebuilt beside the one that serves"). */
@Injectable()
export class Generations {
  private readonly documents: Documents;
  /** By name and number of the generation. */
  private readonly watches = new Map<string, CheckpointWatch>();

  constructor(@Inject(PORTS) { documents }: Ports) {
    this.documents = documents;
  }

  /** Reads the generation documents of these views. */
  async current(views: readonly View[]): Promise<(view: View) => GenerationDocument> {
    const results = await this.collection.getMany(views.map(({ name }) => name));
    return ({ name }) => results.get(name) ?? FIRST;
  }

  /**
   * Opens a generation. The collections of the first generation have the names that the view defines, so no existing collection is renamed.
   *
   * @param through wraps the documents of the generation
   */
  open(
    view: View,
    number: number,
    through: (documents: Documents) => Documents = (documents) => documents,
  ): Generation {
    const documents = through(generationOf(this.documents, [...view.collections, checkpointsOf(view)], number));
    const checkpoints = new ViewCheckpoints(documents, view, number, this.watchOf(view, number));
    return { view, number, documents, checkpoints };
  }

  /** Collects the checkpoints of the generations that process one batch; `oldest` as in `BatchCheckpoints`. */
  batch(oldest: ReadonlyMap<string, number>): BatchCheckpoints {
    return new BatchCheckpoints(this.documents, oldest);
  }

  /** Notes that an organization was erased, so the views must be built again without its rows. */
  async noteErasure(views: readonly View[]): Promise<void> {
    for (const view of views) await this.change(view, (now) => ({ ...now, erasures: (now.erasures ?? 0) + 1 }));
  }

  /**
   * Begins a new generation. It replaces an unfinished one that another process began.
   *
   * @returns its number, and how many erasures were finished before it
   */
  async begin(view: View): Promise<{ readonly number: number; readonly without: number }> {
    let generation = { number: 0, without: 0 };
    await this.change(view, (now) => {
      const number = now.newest + 1;
      generation = { number, without: now.erasures ?? 0 };
      return { ...now, ...begun, building: number, newest: number, leftovers: addLeftover(now, now.building) };
    });
    return generation;
  }

  /** Batches that begin from now on are also delivered to the generation. @returns false when it is no longer the one being built */
  join(view: View, number: number): Promise<boolean> {
    return this.building(view, number, (now) => ({ ...now, joined: true }));
  }

  /** Marks the generation as unable to serve, because it lacks an event. @returns false when it is no longer the one being built */
  fail(view: View, number: number, why: string): Promise<boolean> {
    return this.building(view, number, (now) => ({ ...now, failed: now.failed ?? why }));
  }

  /**
   * Makes the generation the serving one, at the same moment for all processes.
   *
   * @param without how many erasures were finished before it was begun
   * @returns false when it lacks an event, or is no longer the one being built
   */
  async swap(view: View, number: number, without: number): Promise<boolean> {
    // The store may still hold rows in memory. A generation that serves must not lose them if the process ends.
    await this.documents.persist();
    return this.building(view, number, (now) =>
      now.failed !== null
        ? undefined
        : {
            ...now,
            ...begun,
            serving: number,
            version: view.version,
            without,
            leftovers: addLeftover(now, now.serving),
          },
    );
  }

  /** Abandons the new generation; the serving one continues. */
  async giveUp(view: View, number: number): Promise<void> {
    await this.building(view, number, (now) => ({ ...now, ...begun, leftovers: addLeftover(now, number) }));
  }

  /** Removes the documents of generations that are neither serving nor being built. */
  async clear(view: View): Promise<void> {
    const { leftovers } = (await this.current([view]))(view);
    for (const number of leftovers) {
      const { documents } = this.open(view, number);
      await Promise.all([...view.collections, checkpointsOf(view)].map((collection) => documents.drop(collection)));
      await this.change(view, (now) => ({ ...now, leftovers: now.leftovers.filter((other) => other !== number) }));
    }
  }

  private watchOf({ name }: View, number: number): CheckpointWatch {
    const id = `${name}/${number}`;
    return getOrInsert(this.watches, id, () => new CheckpointWatch());
  }

  private async building(
    view: View,
    number: number,
    change: (now: GenerationDocument) => GenerationDocument | undefined,
  ): Promise<boolean> {
    let changed = false;
    await this.change(view, (now) => {
      const after = now.building === number ? change(now) : undefined;
      changed = after !== undefined;
      return after;
    });
    return changed;
  }

  private change({ name }: View, change: (now: GenerationDocument) => GenerationDocument | undefined): Promise<void> {
    return this.collection.merge([name], (now) => change(now ?? FIRST));
  }

  private get collection() {
    return this.documents.collection(generations);
  }
}

/** Whether this version of the view, or a later one, built the serving generation. */
export function isCurrent(view: View, { version }: GenerationDocument): boolean {
  return version !== undefined && version >= view.version;
}

/** Whether the serving generation may hold rows of an organization that was erased later. */
export function holdsErased({ erasures = 0, without = 0 }: GenerationDocument): boolean {
  return erasures > without;
}

const begun = { building: null, joined: false, failed: null } as const;

function addLeftover({ leftovers }: GenerationDocument, number: number | null): readonly number[] {
  return number === null || leftovers.includes(number) ? leftovers : [...leftovers, number];
}

/** Renamed definitions, by generation and original definition. They are cached because engines identify a collection by its definition object. */
const renamed = new Map<number, WeakMap<object, unknown>>();

/** Maps these collections to the collections of a generation. Other collections stay as they are. */
function generationOf(documents: Documents, own: readonly CollectionDefinition<Document>[], number: number): Documents {
  const names = new Set(own.map(({ name }) => name));
  const cache = getOrInsert(renamed, number, () => new WeakMap<object, unknown>());
  const translate = <T extends Document>(definition: CollectionDefinition<T>): CollectionDefinition<T> => {
    if (!names.has(definition.name)) {
      // All generations would share the collection, and nothing would remove it.
      if (definition.name.startsWith('view_')) throw new Error(`no collection of this view: ${definition.name}`);
      return definition;
    }
    if (number === 1) return definition;
    const before = cache.get(definition) as CollectionDefinition<T> | undefined;
    if (before !== undefined) return before;
    const after = { ...definition, name: `${definition.name}_g${number}` };
    cache.set(definition, after);
    return after;
  };
  return {
    collection: (definition) => documents.collection(translate(definition)),
    writeInOrder: (steps) =>
      documents.writeInOrder(
        steps.map((step) => step.map(({ collection, writes }) => ({ collection: translate(collection), writes }))),
      ),
    persist: () => documents.persist(),
    drop: (definition) => documents.drop(translate(definition)),
  };
}
