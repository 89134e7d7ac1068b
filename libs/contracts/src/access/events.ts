import type { DomainEvent } from '../events/event';

/** Roles of members and privileges of service accounts. Both use one model. */
export const ROLES = ['admin', 'member', 'snapshotter', 'auditor', 'reader'] as const;
export type Role = (typeof ROLES)[number];

/** Where a membership change came from. */
export const SOURCES = ['app', 'scim', 'invitation', 'script'] as const;
export type MembershipSource = (typeof SOURCES)[number];

/** An API key as stored: the SHA-256 of the key, never the key itself. */
export interface ApiKey {
  readonly id: string;
  /** SHA-256 of the key's UTF-8 bytes. */
  readonly hash: string;
  readonly description: string;
  /** Epoch seconds; 0 means never. */
  readonly expiresAt: number;
}

export interface OrganizationCreated extends DomainEvent<'OrganizationCreated', 1> {
  readonly data: {
    readonly id: string;
    readonly name: string;
    /** The user with the same id owns it. */ readonly personal: boolean;
    /** The user who created it through the API and becomes its administrator. */
    readonly madeBy?: { readonly user: string; readonly userName: string };
  };
}
/** Parts of checkpoints that are left out: their number, and a digest of their hashes in the order of the checkpoints. */
export interface OmittedParts {
  readonly parts: number;
  /** SHA-256 of the previous digest and the hash, repeated for each part; empty before the first. */
  readonly digest: string;
}
/** The record of an erasure. Its canonical JSON is signed. */
export interface ErasureRecord {
  readonly organization: string;
  /** The name of the organization. */
  readonly name: string;
  /** Integer milliseconds since 1970. */
  readonly at: number;
  /** Who erased it. */
  readonly by: string;
  /** Whether the operator erased it despite legal holds. */
  readonly despiteHolds: boolean;
  /** The redacted parts of checkpoints. Only the last record of a run has them; earlier records have null. */
  readonly leftOut: OmittedParts | null;
  readonly streams: number;
  readonly commits: number;
  readonly events: number;
  /** The removed streams in order, each with its newest commit. The SHA-256 of a stream's id replaces the id, because ids contain names. */
  readonly removed: readonly { readonly stream: string; readonly seq: number; readonly hash: string }[];
  /** The Ed25519 public key for the signature: 32 bytes as base64url. */
  readonly key: string;
}
/** All data of the organization is removed, or is being removed. Everything that the record names existed and may be missing. */
export interface OrganizationErased extends DomainEvent<'OrganizationErased', 1> {
  readonly data: {
    readonly record: ErasureRecord;
    /** Base64url. */
    readonly signature: string;
  };
}
/** Whether an event says that an organization is erased, or being erased. */
export function isErasure({ type }: Pick<DomainEvent, 'type'>): boolean {
  return type === 'OrganizationErased';
}
export type OrganizationEvent = OrganizationCreated | OrganizationErased;

export interface UserCreated extends DomainEvent<'UserCreated', 1> {
  readonly data: { readonly id: string; readonly name: string; readonly email: string };
}
export type ApiKeyAdded = DomainEvent<'ApiKeyAdded', 1, ApiKey>;
/** A key was replaced by a new one and works until `until`. */
export interface ApiKeyRotated extends DomainEvent<'ApiKeyRotated', 1> {
  readonly data: {
    /** Id of the key that was replaced. */
    readonly id: string;
    /** Epoch seconds: when the old key stops working. */
    readonly until: number;
    readonly by: ApiKey;
  };
}
/** A key was revoked. */
export type ApiKeyRevoked = DomainEvent<'ApiKeyRevoked', 1, { readonly id: string }>;
export type ApiKeyEvent = ApiKeyAdded | ApiKeyRotated | ApiKeyRevoked;
/** Sets the organization of a user's requests that name no organization. */
export type DefaultOrganizationChosen = DomainEvent<'DefaultOrganizationChosen', 1, { readonly organization: string }>;
/** A user was removed with all keys. The name stays taken. The bootstrap file may declare the user again, without the old keys. */
export type UserRemoved = DomainEvent<'UserRemoved', 1, Readonly<Record<string, never>>>;
export type UserEvent = UserCreated | ApiKeyEvent | DefaultOrganizationChosen | UserRemoved;

/** Fields of every membership change. */
export interface MembershipChange {
  readonly user: string;
  readonly userName: string;
  readonly source: MembershipSource;
  /** Name of the user or service account that made the change. Left out if the bootstrap file made it; its actor is `bootstrap`. */
  readonly changedBy?: string;
  /** The groups of an OpenID Connect provider caused the change. A later sign-in may change the membership again. */
  readonly mapped?: true;
}

export interface MemberAdded extends DomainEvent<'MemberAdded', 1> {
  readonly data: MembershipChange & {
    readonly role: Role;
    /** Id of the invitation that was accepted. */ readonly invitation?: string;
  };
}
export interface MemberRoleChanged extends DomainEvent<'MemberRoleChanged', 1> {
  readonly data: MembershipChange & { readonly role: Role; readonly previousRole: Role };
}
export type MemberRemoved = DomainEvent<'MemberRemoved', 1, MembershipChange & { readonly previousRole: Role }>;
export type MembershipEvent = MemberAdded | MemberRoleChanged | MemberRemoved;

export interface ServiceAccountCreated extends DomainEvent<'ServiceAccountCreated', 1> {
  readonly data: {
    readonly id: string;
    readonly name: string;
    readonly privilege: Role;
    readonly description: string;
    /** If left out, the name is shown. */
    readonly displayName?: string;
  };
}
export interface ServiceAccountPrivilegeChanged extends DomainEvent<'ServiceAccountPrivilegeChanged', 1> {
  readonly data: { readonly privilege: Role; readonly previousPrivilege: Role };
}
/** Contains only the changed fields. */
export interface ServiceAccountDescribed extends DomainEvent<'ServiceAccountDescribed', 1> {
  readonly data: { readonly description?: string; readonly displayName?: string };
}
/** A service account was deleted with all keys. Creating it again starts the same account without keys. */
export type ServiceAccountDeleted = DomainEvent<'ServiceAccountDeleted', 1, Readonly<Record<string, never>>>;
export type ServiceAccountEvent =
  | ServiceAccountCreated
  | ServiceAccountPrivilegeChanged
  | ServiceAccountDescribed
  | ServiceAccountDeleted
  | ApiKeyEvent;

/** The first event of a stream `name/...`: `id` holds the name from now on. A later event gives the name to another holder. */
export interface NameClaimed extends DomainEvent<'NameClaimed', 1> {
  readonly data: {
    readonly id: string;
    /** For a rename: the seq of the holder's stream at the claim. Only the holder's next commit may take the name. */
    readonly at?: number;
    /** The original spelling of the name, in registers that ignore case. */
    readonly spelled?: string;
    /** The stream of the invitation or external identity that makes the holder a user. Only that stream may use the id. */
    readonly invitation?: string;
  };
}
export type NameEvent = NameClaimed;

/**
 * The administrators at the time when the stream began. Only organizations that are older than the stream have this event. The list comes from
 * memberships.
 */
export type AdministratorsListed = DomainEvent<'AdministratorsListed', 1, { readonly users: readonly string[] }>;
/** The user's membership becomes an administrator's membership. */
export interface AdministratorAdded extends DomainEvent<'AdministratorAdded', 1> {
  readonly data: MembershipChange & { /** Id of the invitation that was accepted. */ readonly invitation?: string };
}
/** The user's membership gets another role or ends. */
export interface AdministratorRemoved extends DomainEvent<'AdministratorRemoved', 1> {
  readonly data: MembershipChange & { /** The user's new role; null: no membership. */ readonly role: Role | null };
}
export type AdministratorsEvent = AdministratorsListed | AdministratorAdded | AdministratorRemoved;

/** A part of the bootstrap file was applied. It is not applied again until its content changes. */
export interface DeclarationApplied extends DomainEvent<'DeclarationApplied', 1> {
  readonly data: { /** SHA-256 of the part, with keys as hashes. */ readonly digest: string };
}
export type DeclarationEvent = DeclarationApplied;

/** The first sign-in of an identity of an OpenID Connect provider. The service then creates the user and the personal organization from it. */
export interface ExternalIdentityLinked extends DomainEvent<'ExternalIdentityLinked', 1> {
  readonly data: {
    readonly issuer: string;
    /** The issuer's identifier for the person. The issuer never gives it to another person. */
    readonly subject: string;
    /** Id of the new user. */
    readonly user: string;
    readonly userName: string;
    /** An address that the issuer verified; empty if there is none. */
    readonly email: string;
  };
}

/** An existing user can also sign in with this identity from now on. */
export type ExternalIdentityAttached = DomainEvent<'ExternalIdentityAttached', 1, ExternalIdentityLinked['data']>;

/** The user can no longer sign in with this identity. Its next sign-in creates a new user. */
export interface ExternalIdentityDetached extends DomainEvent<'ExternalIdentityDetached', 1> {
  readonly data: { /** Id of the user. */ readonly user: string };
}

export type ExternalIdentityEvent = ExternalIdentityLinked | ExternalIdentityAttached | ExternalIdentityDetached;

/** A person with this address was invited. The invitation replaces an earlier open invitation of the address. */
export interface MemberInvited extends DomainEvent<'MemberInvited', 1> {
  readonly data: {
    /** Id of this invitation; an address may be invited again. */
    readonly id: string;
    readonly email: string;
    readonly role: Role;
    /** A suggested name for the new user, if there is one. */
    readonly name?: string;
    /** SHA-256 of the token's UTF-8 bytes. */
    readonly tokenHash: string;
    /** Epoch seconds. */
    readonly expiresAt: number;
    /** Name of the member who invited. */
    readonly invitedBy: string;
  };
}
/** The token is used up. From this event, the service creates the membership and, for a new user, the user and the first key. */
export interface InvitationAccepted extends DomainEvent<'InvitationAccepted', 1> {
  readonly data: {
    readonly id: string;
    /** Id of the user; for a new user, it equals the id of the invitation. */
    readonly user: string;
    readonly userName: string;
    /** The address in the invitation. */
    readonly email: string;
    readonly role: Role;
    readonly invitedBy: string;
    /** The first key of a new user; absent for an existing user. */
    readonly key?: ApiKey;
  };
}
export type InvitationRevoked = DomainEvent<'InvitationRevoked', 1, { readonly id: string }>;
export type InvitationEvent = MemberInvited | InvitationAccepted | InvitationRevoked;

/** The id of the root of every tree of spaces. The root always exists, so no event creates it. */
export const ROOT_SPACE = 'root';

/** The move of a space, an environment or a flow. The values are ids of spaces. */
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
/** Events of the spaces of an organization. They share one stream, so that two concurrent moves cannot create a cycle. */
export type SpaceEvent = SpaceCreated | SpaceRenamed | SpaceMoved | SpaceArchived | SpaceRevived;

export type EnvironmentMoved = DomainEvent<'EnvironmentMoved', 1, Move>;
export type FlowMoved = DomainEvent<'FlowMoved', 1, Move>;
