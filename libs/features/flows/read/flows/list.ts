import type { PageEnds } from '@assurance/event-sourcing/projection/cursor-page';
import { hasTags, pageOf, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import type { Documents } from '@assurance/storage-ports';
import { flowActivity, type FlowActivityRow } from './activity';

/** The filter and the order of a list of flows. */
export interface FlowFilter {
  /** Id of the organization. */
  readonly org: string;
  /** Part of the name. */
  readonly name?: string;
  readonly caseSensitive: boolean;
  /** Each of these tags: `key` or `key:value`. */
  readonly tags: readonly string[];
  /** Ids of spaces. An empty list selects all. */
  readonly spaces: readonly string[];
  /** Returns the space in which a flow is shown, from the space that it was moved to. */
  readonly shownIn: (space?: string) => string;
  readonly sort: 'name' | 'latest_activity';
  readonly direction: 'asc' | 'desc';
}

/** A flow in the list. */
export interface ListedFlow {
  readonly id: string;
  /** The time of the latest activity (integer milliseconds). */
  readonly latestActivityAt: number;
  /** The stream of the trail with the latest activity; null if there is none. */
  readonly latestTrail: string | null;
}

/** Returns one page of the flows that are not archived, and the number of all matches. */
export async function listFlows(
  documents: Documents,
  { org, name = '', caseSensitive, tags, spaces, shownIn, sort, direction }: FlowFilter,
  page: PageRequest,
): Promise<PageEnds & { readonly flows: readonly ListedFlow[]; readonly count: number }> {
  const foldCase = (text: string) => (caseSensitive ? text : text.toLowerCase());
  const part = foldCase(name);
  const matches = (row: FlowActivityRow) =>
    row.name !== null &&
    foldCase(row.name).includes(part) &&
    (spaces.length === 0 || spaces.includes(shownIn(row.space))) &&
    hasTags(row.tags ?? {}, tags);
  const order = [...(sort === 'name' ? [] : [['latestActivityAt', direction] as const]), ['name', direction] as const];
  const isAll = part === '' && tags.length === 0 && spaces.length === 0;
  const listing = { where: { org, archived: false }, order, matches: isAll ? null : matches };
  const collection = documents.collection(flowActivity);
  const { documents: activities, ...rest } = await pageOf<FlowActivityRow>(collection, listing, page);
  const flows = activities.map(({ id, doc: { latestActivityAt, latestTrail } }) => ({
    id,
    latestActivityAt,
    latestTrail: latestTrail?.stream ?? null,
  }));
  return { flows, ...rest };
}
