import type { CollectionShape } from '@assurance/contracts/events/aggregate';
import { type LineArtifact, templateOf } from '@assurance/environments/domain/artifact-line';
import { batches, removeDuplicates } from '@assurance/event-sourcing/projection/batches';
import { getOrInsert, sha256, waitForAll } from '@assurance/kernel';
import type { Collection, Documents } from '@assurance/storage-ports';
import type { Origin } from './origin';

/** The repositories and templates that artifacts of one base name in one environment ever had. */
export interface LineName {
  readonly repos: readonly string[];
  /** As `templateOf` returns them. */
  readonly templates: readonly string[];
}

/** The base names that artifacts of one template ever had in one environment. */
export interface LineTemplate {
  readonly bases: readonly string[];
}

export const lineNames: CollectionShape<LineName> = { name: 'view_line_names', deferred: 'first', indexes: [] };
export const lineTemplates: CollectionShape<LineTemplate> = {
  name: 'view_line_templates',
  deferred: 'first',
  indexes: [],
};

/** The fields of a row that determine its line. */
export interface LineRow {
  readonly environment: string;
  readonly base: string;
  readonly origin: Origin | null;
}

/** Converts a row to the form in which lines are compared. */
export function lineArtifactOf({ base, origin }: Pick<LineRow, 'base' | 'origin'>): LineArtifact {
  return {
    base,
    origin: origin && { flow: origin.flow.id, template: origin.template, repo: origin.repo?.id ?? null },
  };
}

/** Records the repositories and templates of rows. The rows are written first, so a reader of these records finds the rows. */
export async function recordLines(documents: Documents, rows: Iterable<LineRow>): Promise<void> {
  const linesByRepo = new Map<string, { readonly repos: Set<string>; readonly templates: Set<string> }>();
  const bases = new Map<string, Set<string>>();
  for (const row of rows) {
    const repo = row.origin?.repo?.id ?? null;
    if (repo === null) continue;
    const id = nameId(row.environment, row.base);
    const own = getOrInsert(linesByRepo, id, () => ({ repos: new Set<string>(), templates: new Set<string>() }));
    own.repos.add(repo);
    const template = templateOf(lineArtifactOf(row));
    if (template === null) continue;
    own.templates.add(template);
    const key = templateId(row.environment, template);
    bases.set(key, (bases.get(key) ?? new Set()).add(row.base));
  }
  const [writeTemplates, writeNames] = await waitForAll([
    extensionOf(documents.collection(lineTemplates), bases, (current, own) => {
      const all = union(current?.bases ?? [], own);
      return all && { bases: all };
    }),
    extensionOf(documents.collection(lineNames), linesByRepo, (current, own) => {
      const { repos, templates } = current ?? { repos: [], templates: [] };
      const [allRepos, allTemplates] = [union(repos, own.repos), union(templates, own.templates)];
      return allRepos === null && allTemplates === null
        ? null
        : { repos: allRepos ?? repos, templates: allTemplates ?? templates };
    }),
  ]);
  // Write templates first, because a reader of a name then looks up its templates.
  await writeTemplates();
  await writeNames();
}

/** @returns a function that writes what the documents do not contain yet, which is mostly nothing */
async function extensionOf<T extends object, Own>(
  collection: Collection<T>,
  owned: ReadonlyMap<string, Own>,
  extended: (current: T | undefined, own: Own) => T | null,
): Promise<() => Promise<void>> {
  const change = (current: T | undefined, id: string) => {
    const own = owned.get(id);
    return own === undefined ? null : extended(current, own);
  };
  const late: string[] = [];
  for (const ids of batches([...owned.keys()])) {
    const existing = await collection.getMany(ids);
    for (const id of ids) if (change(existing.get(id), id) !== null) late.push(id);
  }
  return async () => {
    for (const ids of batches(late))
      await collection.merge(ids, (current, id) => change(current ?? undefined, id) ?? undefined);
  };
}

/** Finds the base names of artifacts that may be in one line with artifacts of given base names. The result includes the given names. */
export class ArtifactLines {
  /** By environment and base name. */
  private readonly names = new Map<string, LineName | null>();
  private readonly templates = new Map<string, LineTemplate | null>();
  /** Pending and finished reads by base name. A second reader of a name waits until its templates are read too. */
  private readonly reads = new Map<string, Promise<void>>();

  constructor(
    private readonly documents: Documents,
    private readonly environment: string,
  ) {}

  async with(bases: Iterable<string>): Promise<ReadonlySet<string>> {
    const all = new Set(bases);
    for (let open = [...all]; open.length > 0;) {
      await this.read(open);
      const next = open.flatMap((base) => this.basesInLine(base)).filter((base) => !all.has(base));
      open = removeDuplicates(next);
      for (const base of open) all.add(base);
    }
    return all;
  }

  /**
   * Returns the base names for which the origin of an artifact decides its line: not all their artifacts are in one line, or the line has other
   * names.
   */
  async findMixed(bases: Iterable<string>): Promise<string[]> {
    const all = [...bases];
    await this.read(all);
    const isMixed = (base: string) =>
      base === '' ||
      (this.names.get(base)?.repos.length ?? 0) > 1 ||
      this.basesInLine(base).some((other) => other !== base);
    return all.filter(isMixed);
  }

  private basesInLine(base: string): readonly string[] {
    return this.names.get(base)?.templates.flatMap((template) => this.templates.get(template)?.bases ?? []) ?? [];
  }

  private async read(bases: readonly string[]): Promise<void> {
    const unknown = bases.filter((base) => !this.reads.has(base));
    const reading = this.readUnknown(unknown);
    for (const base of unknown) this.reads.set(base, reading);
    await waitForAll(removeDuplicates(bases.map((base) => this.reads.get(base))));
  }

  private async readUnknown(unknown: readonly string[]): Promise<void> {
    const { documents, environment } = this;
    await readInto(this.names, documents.collection(lineNames), unknown, (base) => nameId(environment, base));
    const templates = removeDuplicates(unknown.flatMap((base) => this.names.get(base)?.templates ?? []));
    const unread = templates.filter((template) => !this.templates.has(template));
    await readInto(this.templates, documents.collection(lineTemplates), unread, (id) => templateId(environment, id));
  }
}

async function readInto<T extends object>(
  results: Map<string, T | null>,
  collection: Collection<T>,
  keys: readonly string[],
  idOf: (key: string) => string,
): Promise<void> {
  for (const some of batches(keys)) {
    const docs = await collection.getMany(some.map(idOf));
    for (const key of some) results.set(key, docs.get(idOf(key)) ?? null);
  }
}

function nameId(environment: string, base: string): string {
  return `${environment}/${sha256(base)}`;
}

function templateId(environment: string, template: string): string {
  return `${environment}/${sha256(template)}`;
}

/** Merges two lists. It returns null if the first contains all of the second. */
function union(existing: readonly string[], own: ReadonlySet<string>): string[] | null {
  const all = new Set([...existing, ...own]);
  return all.size === existing.length ? null : [...all].sort();
}
