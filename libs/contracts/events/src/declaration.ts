import type { DomainEvent } from './event';

/** A part of the bootstrap file was applied: it is not applied again until it says something else. */
export type DeclarationApplied = DomainEvent<
  'DeclarationApplied',
  1,
  { /** SHA-256 of what the part says, keys by their hash. */ readonly digest: string }
>;
export type DeclarationEvent = DeclarationApplied;
