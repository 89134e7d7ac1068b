import type {
  AdministratorsEvent,
  DeclarationEvent,
  ExternalIdentityEvent,
  InvitationEvent,
  MembershipEvent,
  NameEvent,
  OrganizationEvent,
  ServiceAccountEvent,
  SpaceEvent,
  UserEvent,
} from '../access/events';
import type { RetentionEvent } from '../audit/events';
import type { EnvironmentEvent, SnapshotStateKept } from '../environments/events';
import type { AttestationTypeEvent } from '../evidence/events';
import type { ArtifactEvent, FlowEvent, RepoEvent, TrailEvent } from '../flows/events';
import type { NotificationEvent, NotificationNumbersEvent, TargetConfigEvent } from '../notifications/events';
import type { ControlEvent, PolicyEvent } from '../policies/events';
import type { VulnerabilitiesFound, VulnerabilityEvent } from '../vulnerabilities/events';
import type { CheckpointSigned } from './checkpoint';
import type { DomainEvent } from './event';
import { kindOf } from './streams';

/** Converts an event's data from one version to the next. Pure. */
export type Upcast = (data: unknown) => unknown;

/** The newest version of an event's data, and the upcasters that lead to it. The first upcaster takes version 1, the second version 2, and so on. */
export type Versions<Newest extends number = number> = readonly [newest: Newest, ...upcasters: Upcast[]];

type EventVersions<Event extends DomainEvent> = {
  readonly [Type in Event['type']]: Versions<Extract<Event, { readonly type: Type }>['version']>;
};

/** The events that each kind of stream may contain. */
interface EventsByStreamKind {
  readonly administrators: AdministratorsEvent;
  readonly artifact: ArtifactEvent;
  readonly 'attestation-type': AttestationTypeEvent;
  readonly checkpoint: CheckpointSigned;
  readonly control: ControlEvent;
  readonly declaration: DeclarationEvent;
  readonly environment: EnvironmentEvent;
  readonly 'external-identity': ExternalIdentityEvent;
  readonly flow: FlowEvent;
  readonly invitation: InvitationEvent;
  readonly membership: MembershipEvent;
  readonly name: NameEvent;
  readonly notification: NotificationEvent;
  readonly 'notification-numbers': NotificationNumbersEvent;
  readonly organization: OrganizationEvent;
  readonly policy: PolicyEvent;
  readonly repo: RepoEvent;
  readonly retention: RetentionEvent;
  readonly 'service-account': ServiceAccountEvent;
  readonly spaces: SpaceEvent;
  readonly 'target-config': TargetConfigEvent;
  readonly trail: TrailEvent;
  readonly user: UserEvent;
  readonly vulnerabilities: VulnerabilityEvent;
  readonly exposure: VulnerabilitiesFound;
}

/** All events. */
export type AssuranceEvent = EventsByStreamKind[keyof EventsByStreamKind];

/** The compiler compares the table with the event types. */
type Kinds = { readonly [Kind in keyof EventsByStreamKind]: EventVersions<EventsByStreamKind[Kind]> };

/** For a version that only allows more than the previous one. */
const same: Upcast = (data) => data;

const KINDS: Kinds = {
  administrators: { AdministratorsListed: [1], AdministratorAdded: [1], AdministratorRemoved: [1] },
  artifact: { ArtifactReported: [1] },
  'attestation-type': {
    AttestationTypeCreated: [1],
    AttestationTypeRevised: [1],
    AttestationTypeArchived: [1],
    AttestationTypeRevived: [1],
  },
  checkpoint: { CheckpointSigned: [1] },
  control: {
    ControlCreated: [1],
    ControlUpdated: [1],
    ControlArchived: [1],
    ControlUnarchived: [1],
    ControlTagged: [1],
  },
  declaration: { DeclarationApplied: [1] },
  environment: {
    EnvironmentCreated: [1],
    EnvironmentUpdated: [1],
    EnvironmentArchived: [1],
    EnvironmentRevived: [1],
    EnvironmentRenamed: [1],
    EnvironmentTagged: [1],
    EnvironmentMoved: [1],
    PolicyAttached: [1],
    PolicyDetached: [1],
    ArtifactAllowed: [1],
    AllowanceRevised: [1],
    AllowanceEnding: [1],
    AllowanceEnded: [1],
    SnapshotRecorded: [1],
    VerdictsKept: [2, same],
    SnapshotStateKept: [2, same],
    ReportMissed: [1],
  },
  'external-identity': {
    ExternalIdentityLinked: [1],
    ExternalIdentityAttached: [1],
    ExternalIdentityDetached: [1],
  },
  flow: {
    FlowCreated: [1],
    FlowUpdated: [1],
    FlowArchived: [1],
    FlowRevived: [1],
    FlowRenamed: [1],
    FlowTagged: [1],
    FlowMoved: [1],
  },
  invitation: { MemberInvited: [1], InvitationAccepted: [1], InvitationRevoked: [1] },
  membership: { MemberAdded: [1], MemberRoleChanged: [1], MemberRemoved: [1] },
  name: { NameClaimed: [1] },
  notification: {
    NotificationCreated: [1],
    NotificationUpdated: [1],
    NotificationDeleted: [1],
    NotificationTested: [1],
    SigningSecretIssued: [1],
  },
  'notification-numbers': { NotificationNumberTaken: [1] },
  organization: { OrganizationCreated: [1], OrganizationErased: [1] },
  policy: { PolicyCreated: [1], PolicyDescribed: [1], PolicyRevised: [1], PolicyExceptionsEnded: [1] },
  repo: { RepoRecorded: [1], RepoUpdated: [1], RepoTagged: [1], RepoAbsorbed: [1], RepoJoined: [1] },
  retention: { RetentionSet: [1], HoldPlaced: [1], HoldReleased: [1], EvidenceDropped: [1] },
  'service-account': {
    ServiceAccountCreated: [1],
    ServiceAccountPrivilegeChanged: [1],
    ServiceAccountDescribed: [1],
    ServiceAccountDeleted: [1],
    ApiKeyAdded: [1],
    ApiKeyRotated: [1],
    ApiKeyRevoked: [1],
  },
  spaces: { SpaceCreated: [1], SpaceRenamed: [1], SpaceMoved: [1], SpaceArchived: [1], SpaceRevived: [1] },
  'target-config': {
    TargetConfigCreated: [1],
    TargetConfigUpdated: [1],
    TargetConfigDeleted: [1],
    SigningSecretIssued: [1],
  },
  trail: {
    TrailBegun: [1],
    TrailUpdated: [1],
    ArtifactReported: [1],
    AttestationReported: [1],
    AttestationPayloadKept: [1],
    ComponentsListed: [1],
    FindingsListed: [1],
  },
  user: {
    UserCreated: [1],
    ApiKeyAdded: [1],
    ApiKeyRotated: [1],
    ApiKeyRevoked: [1],
    DefaultOrganizationChosen: [1],
    UserRemoved: [1],
  },
  vulnerabilities: {
    VulnerabilityImportBegun: [1],
    VulnerabilitiesListed: [1],
    VexStatementsListed: [1],
    VulnerabilitiesImported: [1],
  },
  exposure: { VulnerabilitiesFound: [1] },
};

/** Kind of stream, then type of event, then its versions. */
export type Codec = Readonly<Record<string, Readonly<Record<string, Versions>>>>;

/** Every event that this version of the service knows. */
export const CODEC: Codec = KINDS as unknown as Codec;

/** The fields of a stored event other than its data. */
export interface EventName {
  readonly type: string;
  readonly version: number;
}

/** The position of a commit. */
interface CommitPosition {
  readonly stream: string;
  readonly seq: number;
}

/** An event or kind of stream that this version does not know. It is never folded: consumers stop, and requests get 503. */
export class UnknownEvent extends Error {
  override readonly name = 'UnknownEvent';
  constructor({ stream, seq }: CommitPosition, { type, version }: EventName) {
    super(
      `${stream}#${seq} holds ${type} v${version}, which this version of the service does not know: a newer one wrote it`,
    );
  }
}

/** @throws UnknownEvent if the commit has an event that this version of the service does not know */
export function refuseUnknown(
  { stream, seq, events }: CommitPosition & { readonly events: readonly EventName[] },
  codec: Codec = CODEC,
): void {
  for (const event of events) versionsOf({ stream, seq }, event, codec);
}

/**
 * Converts a stored event to the newest version of its type.
 *
 * @param data as it was stored
 * @throws UnknownEvent
 */
export function decodeEvent(
  place: CommitPosition,
  { type, version }: EventName,
  data: unknown,
  codec: Codec = CODEC,
): DomainEvent {
  const [newest, ...upcasters] = versionsOf(place, { type, version }, codec);
  return { type, version: newest, data: upcasters.slice(version - 1).reduce((older, upcast) => upcast(older), data) };
}

function versionsOf(place: CommitPosition, event: EventName, codec: Codec): Versions {
  const { type, version } = event;
  const kind = kindOf(place.stream);
  const types = Object.hasOwn(codec, kind) ? codec[kind] : undefined;
  const versions = types !== undefined && Object.hasOwn(types, type) ? types[type] : undefined;
  if (versions === undefined || !Number.isInteger(version) || version < 1 || version > versions[0]) {
    throw new UnknownEvent(place, event);
  }
  return versions;
}

/** Whether retention may have dropped the data of an event. */
export function isDroppable(event: EventName): boolean {
  return withoutData(event, 0) !== undefined;
}

/**
 * Returns the event without its data, if retention may drop that data. Returns undefined for an event that must keep its data, and null for an event
 * that has no meaning without its data.
 *
 * @param snapshot the newest snapshot after its commit
 */
export function withoutData({ type }: EventName, snapshot: number): DomainEvent | null | undefined {
  if (type === ('AttestationPayloadKept' satisfies TrailEvent['type'])) return null;
  if (type !== ('SnapshotStateKept' satisfies EnvironmentEvent['type'])) return undefined;
  return { type, version: 2, data: { snapshot, artifacts: [], dropped: true } } satisfies SnapshotStateKept;
}
