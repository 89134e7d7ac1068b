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
  /** All of these: `key` or `key:value`. */
  readonly tags: readonly string[];
  /** Ids of spaces; all when empty. */
  readonly spaces: readonly string[];
  /** In which space something is shown, by the space that it was put into. */
  readonly shownIn: (space?: string) => string;
  readonly sort: 'name' | 'latest_activity';
  readonly direction: 'asc' | 'desc';
}

/** A flow of the list. */
export interface ListedFlow {
  readonly id: string;
  /** When something last happened in it (integer milliseconds). */
  readonly latestActivityAt: number;
  /** The stream of the trail with the latest activity; null if there is none. */
  readonly latestTrail: string | null;
}

/** One page of the flows that are not archived, and how many match in all. */
export async function listFlows(
  documents: Documents,
  { org, name = '', caseSensitive, tags, spaces, shownIn, sort, direction }: FlowFilter,
  page: PageRequest,
): Promise<PageEnds & { readonly flows: readonly ListedFlow[]; readonly count: number }> {
  const folded = (text: string) => (caseSensitive ? text : text.toLowerCase());
  const part = folded(name);
  const matches = (row: FlowActivityRow) =>
    row.name !== null &&
    folded(row.name).includes(part) &&
    (spaces.length === 0 || spaces.includes(shownIn(row.space))) &&
    hasTags(row.tags ?? {}, tags);
  const order = [...(sort === 'name' ? [] : [['latestActivityAt', direction] as const]), ['name', direction] as const];
  const listing = {
    where: { org, archived: false },
    order,
    matches: part === '' && tags.length === 0 && spaces.length === 0 ? null : matches,
  };
  const { documents: activities, ...rest } = await pageOf<FlowActivityRow>(
    documents.collection(flowActivity),
    listing,
    page,
  );
  const flows = activities.map(({ id, doc: { latestActivityAt, latestTrail } }) => ({
    id,
    latestActivityAt,
    latestTrail: latestTrail?.stream ?? null,
  }));
  return { flows, ...rest };
}
