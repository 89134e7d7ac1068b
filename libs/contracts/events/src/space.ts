import type { DomainEvent } from './event';

/** The id of the root of every tree of spaces. The root always exists, so no event creates it. */
export const ROOT_SPACE = 'root';

/** Where a space, an environment or a flow went: ids of spaces. */
export interface Move {
  readonly space: string;
  readonly previousSpace: string;
}

export interface SpaceCreated extends DomainEvent<'SpaceCreated', 1> {
  readonly data: { readonly id: string; readonly name: string; readonly parent: string };
}
export interface SpaceRenamed extends DomainEvent<'SpaceRenamed', 1> {
  readonly data: { readonly id: string; readonly name: string; readonly previousName: string };
}
export interface SpaceMoved extends DomainEvent<'SpaceMoved', 1> {
  readonly data: { readonly id: string; readonly parent: string; readonly previousParent: string };
}
export type SpaceArchived = DomainEvent<'SpaceArchived', 1, { readonly id: string }>;
export type SpaceRevived = DomainEvent<'SpaceRevived', 1, { readonly id: string }>;
/** Events of the spaces of an organization. They share one stream, so that two moves cannot create a cycle. */
export type SpaceEvent = SpaceCreated | SpaceRenamed | SpaceMoved | SpaceArchived | SpaceRevived;

export type EnvironmentMoved = DomainEvent<'EnvironmentMoved', 1, Move>;
export type FlowMoved = DomainEvent<'FlowMoved', 1, Move>;
