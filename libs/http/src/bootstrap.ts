import type { Role } from '@assurance/contracts/access/events';

/** The declarations of the first start: `@Inject(BOOTSTRAP) bootstrap: Bootstrap`. */
export const BOOTSTRAP = Symbol('bootstrap');
/** Prints a text once on standard output, and never to the log: `@Inject(ANNOUNCE) announce: Announce`. */
export const ANNOUNCE = Symbol('announce');

export type Announce = (text: string) => void;

/** A declared key in plain text. It is stored only as a hash. */
export interface BootstrapKey {
  readonly key: string;
  readonly description: string;
  /** Epoch seconds; 0 means never. */
  readonly expiresAt: number;
}

/** A part of the file is applied once, and again when its text changes. An enforced part is applied at every start. */
interface EnforcedPart {
  readonly enforce: boolean;
}

export interface BootstrapUser extends EnforcedPart {
  readonly name: string;
  readonly email: string;
  readonly apiKeys: readonly BootstrapKey[];
}

export interface BootstrapMember extends EnforcedPart {
  readonly user: string;
  readonly role: Role;
}

export interface BootstrapOrganization {
  readonly name: string;
  readonly members: readonly BootstrapMember[];
  readonly serviceAccounts: readonly BootstrapServiceAccount[];
}

export interface BootstrapServiceAccount extends EnforcedPart {
  readonly name: string;
  readonly privilege: Role;
  readonly description: string;
  readonly apiKeys: readonly BootstrapKey[];
}

/**
 * Declared organizations, users and keys, which are applied at a start. `first-start`: there is no file, and an empty
 * store gets a first user and key.
 */
export type Bootstrap =
  | {
      readonly kind: 'file';
      readonly users: readonly BootstrapUser[];
      readonly organizations: readonly BootstrapOrganization[];
    }
  | { readonly kind: 'first-start' };

/** Thrown while a role starts. The process shows only its message, one sentence, and ends with code 1. */
export class CannotStart extends Error {
  override readonly name: string = 'CannotStart';
}
