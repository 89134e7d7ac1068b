import type { DomainEvent } from './event';

/** A part of the bootstrap file was applied: it is not applied again until it says something else. */
export interface DeclarationApplied extends DomainEvent<'DeclarationApplied', 1> {
  readonly data: { /** SHA-256 of what the part says, keys by their hash. */ readonly digest: string };
}
export type DeclarationEvent = DeclarationApplied;
