import type { DomainEvent } from './event';

/** Roles of members, privileges of service accounts: one model for both. */
export const ROLES = ['admin', 'member', 'snapshotter', 'reader'] as const;
export type Role = (typeof ROLES)[number];

/** Where a membership change came from. */
export const SOURCES = ['app', 'scim', 'invitation', 'script'] as const;
export type MembershipSource = (typeof SOURCES)[number];

/** An API key as stored: only the SHA-256 of the key, never the key. */
export interface ApiKey {
  readonly id: string;
  /** SHA-256 of the key's UTF-8 bytes. */
  readonly hash: string;
  readonly description: string;
  /** Epoch seconds; 0 means never. */
  readonly expiresAt: number;
}

export type OrganizationCreated = DomainEvent<
  'OrganizationCreated',
  1,
  { readonly id: string; readonly name: string; /** Owned by the user of the same id. */ readonly personal: boolean }
>;
export type OrganizationEvent = OrganizationCreated;

export type UserCreated = DomainEvent<
  'UserCreated',
  1,
  { readonly id: string; readonly name: string; readonly email: string }
>;
export type ApiKeyAdded = DomainEvent<'ApiKeyAdded', 1, ApiKey>;
/** The organization that a user works in unless one is named. */
export type DefaultOrganizationChosen = DomainEvent<'DefaultOrganizationChosen', 1, { readonly organization: string }>;
export type UserEvent = UserCreated | ApiKeyAdded | DefaultOrganizationChosen;

export type MemberAdded = DomainEvent<
  'MemberAdded',
  1,
  { readonly user: string; readonly userName: string; readonly role: Role; readonly source: MembershipSource }
>;
export type MemberRoleChanged = DomainEvent<
  'MemberRoleChanged',
  1,
  {
    readonly user: string;
    readonly userName: string;
    readonly role: Role;
    readonly previousRole: Role;
    readonly source: MembershipSource;
  }
>;
export type MembershipEvent = MemberAdded | MemberRoleChanged;

export type ServiceAccountCreated = DomainEvent<
  'ServiceAccountCreated',
  1,
  { readonly id: string; readonly name: string; readonly privilege: Role; readonly description: string }
>;
export type ServiceAccountPrivilegeChanged = DomainEvent<
  'ServiceAccountPrivilegeChanged',
  1,
  { readonly privilege: Role; readonly previousPrivilege: Role }
>;
export type ServiceAccountEvent = ServiceAccountCreated | ServiceAccountPrivilegeChanged | ApiKeyAdded;

/** The first of a stream `name/...`: from now on `id` holds the name. A later one moves it. */
export type NameClaimed = DomainEvent<
  'NameClaimed',
  1,
  {
    readonly id: string;
    /** For a rename: the seq of the holder's stream when it claimed. Its next commit may take the name; until then nobody else does. */
    readonly at?: number;
  }
>;
export type NameEvent = NameClaimed;
