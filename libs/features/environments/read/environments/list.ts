import type { EnvironmentState } from '@assurance/contracts/environments/answers/environment';
import type { Environment } from '@assurance/contracts/environments/documents';
import type { EnvironmentType } from '@assurance/contracts/environments/events';
import type { PageEnds } from '@assurance/event-sourcing/projection/cursor-page';
import { hasTags, pageOf, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import { type Documents, findPages } from '@assurance/storage-ports';
import { environment, stateOf } from '../../domain/environment';
import { environmentActivity } from '../../domain/reports';

/** The filter and the order of a list of environments. */
export interface EnvironmentFilter {
  /** Id of the organization. */
  readonly org: string;
  /** Part of the name, in any case. */
  readonly name?: string;
  /** One of these; all when empty. */
  readonly types: readonly EnvironmentType[];
  /** One of these; all when empty. */
  readonly states: readonly EnvironmentState[];
  /** Only those whose next report is late. */
  readonly isLate?: boolean;
  /** All of these: `key` or `key:value`. */
  readonly tags: readonly string[];
  /** Ids of spaces; all when empty. */
  readonly spaces: readonly string[];
  /** In which space something is shown, by the space that it was put into. */
  readonly shownIn: (space?: string) => string;
  readonly sort: 'name' | 'last_modified_at' | 'last_changed_at';
  readonly direction: 'asc' | 'desc';
}

const FIELDS = { last_modified_at: 'lastModifiedAt', last_changed_at: 'lastChangedAt' } as const;

/** One page of the environments that are not archived, and how many match in all. */
export async function listEnvironments(
  documents: Documents,
  { org, name, types, states, isLate, tags, spaces, shownIn, sort, direction }: EnvironmentFilter,
  page: PageRequest,
): Promise<PageEnds & { readonly environments: readonly Environment[]; readonly count: number }> {
  const part = name?.toLowerCase() ?? '';
  const lateIds = isLate ? await lateEnvironments(documents, org) : null;
  const all =
    lateIds === null &&
    part === '' &&
    types.length === 0 &&
    states.length === 0 &&
    tags.length === 0 &&
    spaces.length === 0;
  const matches = (candidate: Environment) =>
    lateIds?.has(candidate.id) !== false &&
    candidate.name.toLowerCase().includes(part) &&
    (types.length === 0 || types.includes(candidate.type)) &&
    (states.length === 0 || states.includes(wordOf(stateOf(candidate)))) &&
    (spaces.length === 0 || spaces.includes(shownIn(candidate.space))) &&
    hasTags(candidate.tags, tags);
  const order = [...(sort === 'name' ? [] : [[FIELDS[sort], direction] as const]), ['name', direction] as const];
  const listing = { where: { org, archived: false }, order, matches: all ? null : matches };
  const collection = documents.collection(environment.states);
  const { documents: environments, ...rest } = await pageOf<Environment>(collection, listing, page);
  return { environments: environments.map(({ doc }) => doc), ...rest };
}

/** Late environments that are read at once. */
const PIECE = 1_000;

async function lateEnvironments(documents: Documents, org: string): Promise<ReadonlySet<string>> {
  const where = { late: true, org };
  const late = new Set<string>();
  for await (const page of findPages(documents.collection(environmentActivity), { where }, PIECE)) {
    for (const { id } of page) late.add(id);
  }
  return late;
}

function wordOf(state: boolean | null): EnvironmentState {
  if (state === null) return 'not-judged';
  return state ? 'compliant' : 'non-compliant';
}
