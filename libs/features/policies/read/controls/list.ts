import { orderBy } from '@assurance/contracts/events/aggregate';
import type { TagChoice } from '@assurance/contracts/http/answers/common';
import type { Control } from '@assurance/contracts/policies/documents';
import type { PageEnds } from '@assurance/event-sourcing/projection/cursor-page';
import {
  distinctTags,
  readListing,
  hasTags,
  pageOf,
  type PageRequest,
} from '@assurance/event-sourcing/projection/listing';
import type { Documents } from '@assurance/storage-ports';
import { control } from '../../domain/control';

export interface ControlFilter {
  /** Id of the organization. */
  readonly org: string;
  /** Part of the identifier or of the name, in any case. */
  readonly search?: string;
  /** All of these: `key` or `key:value`. */
  readonly tags: readonly string[];
  /** True: only archived ones; false: all others. */
  readonly archived: boolean;
}

/** One page of the controls that match, by identifier, and how many match in all. */
export async function listControls(
  documents: Documents,
  { org, search, tags, archived }: ControlFilter,
  page: PageRequest,
  direction: 'asc' | 'desc',
): Promise<PageEnds & { readonly controls: readonly Control[]; readonly count: number }> {
  const part = search?.toLowerCase() ?? '';
  const matches = ({ identifier, name, tags: own }: Control) =>
    [identifier, name].some((text) => text.toLowerCase().includes(part)) && hasTags(own, tags);
  const { documents: controls, ...rest } = await pageOf<Control>(
    documents.collection(control.states),
    {
      where: { org, archived },
      order: [['identifier', direction]],
      matches: part === '' && tags.length === 0 ? null : matches,
    },
    page,
  );
  return { controls: controls.map(({ doc }) => doc), ...rest };
}

/** The distinct tags of the controls of an organization, archived ones too, by key and value. */
export async function tagsOfControls(documents: Documents, org: string): Promise<readonly TagChoice[]> {
  const states = documents.collection(control.states);
  const listings = [false, true].map((archived) => ({ where: { org, archived }, order: orderBy('identifier') }));
  return distinctTags(listings.map((listing) => readListing<Control>(states, { ...listing, matches: null })));
}
