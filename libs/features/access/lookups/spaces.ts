import { streams } from '@assurance/contracts/events/streams';
import type { Documents } from '@assurance/storage-ports';
import { NO_SPACES, shownSpace } from '../domain/place';
import { spaceTree, type SpaceTree } from '../domain/tree';
import type { Organization } from './organization';

/** All spaces of an organization. */
export async function spacesOf(
  documents: Documents,
  org: Pick<Organization, 'id'>,
): Promise<Pick<SpaceTree, 'spaces'>> {
  return (await documents.collection(spaceTree.states).get(streams.spaces(org.id))) ?? NO_SPACES;
}

/** The id of the space that shows an item, by the id of the space that the item was put into. */
export async function shownSpaceOf(
  documents: Documents,
  org: Pick<Organization, 'id'>,
): Promise<(space?: string) => string> {
  const tree = await spacesOf(documents, org);
  return (space) => shownSpace(tree, space);
}
