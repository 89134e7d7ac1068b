import type { EnvironmentMoved, FlowMoved } from '../access/events';
import type { EnvironmentType } from '../environments/events';
import type { DomainEvent } from './event';

/** Data of a rename. The old name stays an alias until another resource claims it. */
export interface Renaming {
  readonly name: string;
  readonly previousName: string;
}

/** A change of tags: the tags that were set with their values, and the keys that were removed. */
export interface TagChange {
  readonly set: Readonly<Record<string, string>>;
  readonly removed: readonly string[];
}

export type EnvironmentArchived = DomainEvent<'EnvironmentArchived', 1, Record<never, never>>;
/** Has the type if the type has changed. Earlier reports then no longer count. */
export type EnvironmentRevived = DomainEvent<'EnvironmentRevived', 1, { readonly type?: EnvironmentType }>;
export type EnvironmentRenamed = DomainEvent<'EnvironmentRenamed', 1, Renaming>;
export type EnvironmentTagged = DomainEvent<'EnvironmentTagged', 1, TagChange>;
/** Events about the name, tags and space of an environment. */
export type EnvironmentNamingEvent =
  EnvironmentArchived | EnvironmentRevived | EnvironmentRenamed | EnvironmentTagged | EnvironmentMoved;

export type FlowArchived = DomainEvent<'FlowArchived', 1, Record<never, never>>;
export type FlowRevived = DomainEvent<'FlowRevived', 1, Record<never, never>>;
export type FlowRenamed = DomainEvent<'FlowRenamed', 1, Renaming>;
export type FlowTagged = DomainEvent<'FlowTagged', 1, TagChange>;
/** Events about the name, tags and space of a flow. */
export type FlowNamingEvent = FlowArchived | FlowRevived | FlowRenamed | FlowTagged | FlowMoved;

export type RepoTagged = DomainEvent<'RepoTagged', 1, TagChange>;
export type ControlTagged = DomainEvent<'ControlTagged', 1, TagChange>;

/** The tags after a change. */
export function tagsAfter(
  tags: Readonly<Record<string, string>>,
  { set, removed }: TagChange,
): Readonly<Record<string, string>> {
  const removedKeys = new Set(removed);
  return { ...Object.fromEntries(Object.entries(tags).filter(([key]) => !removedKeys.has(key))), ...set };
}
