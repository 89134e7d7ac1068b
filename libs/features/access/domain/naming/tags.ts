import type { EnvironmentTagged } from '@assurance/contracts/environments/events';
import { type TagChange, tagsAfter } from '@assurance/contracts/events/naming';
import type { FlowTagged, RepoTagged } from '@assurance/contracts/flows/events';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import type { ControlTagged } from '@assurance/contracts/policies/events';
import { accepted, type Decision, noChange, refused } from '@assurance/kernel';

/** The most tags of a resource, and the most characters of all keys and values together. An aggregate state must be bounded. */
export const TAGS_MAX = 50;
const TAG_CHARACTERS_MAX = 4_096;

export interface ChangeTags {
  readonly set: Readonly<Record<string, string>>;
  /** Keys. If the same command sets and removes a key, it sets it. */
  readonly remove: readonly string[];
}

export type TagsRefusal = FeatureRefusal<'too-many-tags'>;

interface TaggedState {
  readonly tags: Readonly<Record<string, string>>;
}

/** Makes the decider that changes the tags of one kind of aggregate. Its events have this type. */
function tagDecider<Event extends EnvironmentTagged | FlowTagged | RepoTagged | ControlTagged>(type: Event['type']) {
  return (state: TaggedState, command: ChangeTags): Decision<Event, TagsRefusal> => {
    const changed = changeOf(state, command);
    return 'kind' in changed ? changed : accepted({ type, version: 1, data: changed } as Event);
  };
}

export const decideTagEnvironment = tagDecider<EnvironmentTagged>('EnvironmentTagged');
export const decideTagFlow = tagDecider<FlowTagged>('FlowTagged');
export const decideTagRepo = tagDecider<RepoTagged>('RepoTagged');
export const decideTagControl = tagDecider<ControlTagged>('ControlTagged');

/** The real changes: removing an absent tag and setting an equal value do not count. */
function changeOf({ tags }: TaggedState, { set, remove }: ChangeTags): TagChange | Decision<never, TagsRefusal> {
  const changes = Object.entries(set).filter(([key, value]) => tags[key] !== value);
  const removed = [...new Set(remove)].filter((key) => Object.hasOwn(tags, key) && !Object.hasOwn(set, key));
  if (changes.length === 0 && removed.length === 0) return noChange;
  const change = { set: Object.fromEntries(changes), removed };
  const after = Object.entries(tagsAfter(tags, change));
  const characters = after.reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  const fits = after.length <= TAGS_MAX && characters <= TAG_CHARACTERS_MAX;
  // A change that only removes tags is accepted above the limit, so that the number can be reduced.
  return fits || changes.length === 0 ? change : refused({ kind: 'too-many-tags', tags: after.length, characters });
}
