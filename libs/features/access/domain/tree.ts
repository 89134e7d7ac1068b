import type { SpaceEvent } from '@assurance/contracts/access/events';
import { type Aggregate, UnexpectedEvent } from '@assurance/contracts/events/aggregate';
import type { EventMeta } from '@assurance/contracts/events/event';
import type { ChangeInfo } from '@assurance/contracts/events/life';

/** A container of environments, flows and other spaces. */
export interface Space extends ChangeInfo {
  readonly id: string;
  /** Unique among the live spaces of its parent. */
  readonly name: string;
  /** Id of the space that contains it. The parent of a live space is live. */
  readonly parent: string;
  readonly archived: boolean;
}

/** All spaces of an organization by their ids, including archived ones. The root is not among them, because it never changes. */
export interface SpaceTree {
  readonly org: string;
  readonly spaces: Readonly<Record<string, Space>>;
}

export const spaceTree: Aggregate<SpaceTree, SpaceEvent, 'spaces'> = {
  kind: 'spaces',
  states: { name: 'space_trees', indexes: [] },
  schemaVersion: 1,
  evolve(state, event, meta) {
    const { org, at, actor } = meta;
    const tree = state ?? { org, spaces: {} };
    if (event.type === 'SpaceCreated') {
      const space = { ...event.data, archived: false, createdBy: actor, createdAt: at, lastModifiedAt: at };
      return { ...tree, spaces: { ...tree.spaces, [space.id]: space } };
    }
    const space = tree.spaces[event.data.id];
    if (space === undefined) throw new UnexpectedEvent(event, meta);
    return { ...tree, spaces: { ...tree.spaces, [space.id]: changedSpace(space, event, meta) } };
  },
};

function changedSpace(
  space: Space,
  event: Exclude<SpaceEvent, { type: 'SpaceCreated' }>,
  { at: lastModifiedAt }: EventMeta,
): Space {
  switch (event.type) {
    case 'SpaceRenamed':
      return { ...space, name: event.data.name, lastModifiedAt };
    case 'SpaceMoved':
      return { ...space, parent: event.data.parent, lastModifiedAt };
    case 'SpaceArchived':
      return { ...space, archived: true, lastModifiedAt };
    case 'SpaceRevived':
      return { ...space, archived: false, lastModifiedAt };
  }
}
