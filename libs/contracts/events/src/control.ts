import type { DomainEvent } from './event';
import type { ControlTagged } from './naming';

/** Settings of a control; each change creates a new version. */
export interface ControlSettings {
  readonly name: string;
  readonly description: string;
  /** URLs by their labels. */
  readonly links: Readonly<Record<string, string>>;
}

/** A control was created, with version 1. Its identifier never changes. */
export interface ControlCreated extends DomainEvent<'ControlCreated', 1> {
  readonly data: { readonly id: string; readonly identifier: string } & ControlSettings;
}
/** The next version: holds what changed, and nothing else. */
export type ControlUpdated = DomainEvent<'ControlUpdated', 1, Partial<ControlSettings>>;
export type ControlArchived = DomainEvent<'ControlArchived', 1, Record<never, never>>;
export type ControlUnarchived = DomainEvent<'ControlUnarchived', 1, Record<never, never>>;
export type ControlEvent = ControlCreated | ControlUpdated | ControlArchived | ControlUnarchived | ControlTagged;
