import type { ControlAnswer } from '@assurance/contracts/policies/answers/control';
import type { Control } from '@assurance/contracts/policies/documents';
import type { PageEnds } from '@assurance/event-sourcing/projection/beside';
import { hasTags, pageOf, type PageRequest } from '@assurance/event-sourcing/projection/listing';
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
  const { found, ...rest } = await pageOf<Control>(
    documents.collection(control.states),
    {
      where: { org, archived },
      order: [['identifier', direction]],
      matches: part === '' && tags.length === 0 ? null : matches,
    },
    page,
  );
  return { controls: found.map(({ doc }) => doc), ...rest };
}

/**
 * A control as the wire shows it.
 *
 * @param creator name of who created it
 * @param policies names of the policies that refer to it
 */
export function controlAnswer(one: Control, creator: string, policies: readonly string[]): ControlAnswer {
  const { identifier, name, description, version, archived, createdAt, tags, links } = one;
  return {
    identifier,
    name,
    description,
    version,
    archived,
    created_by: creator,
    created_at: createdAt / 1000,
    tags,
    links,
    policies_referencing: policies,
  };
}
