import type { ApiKey, Move } from '@assurance/contracts/access/events';
import type { AssuranceEvent } from '@assurance/contracts/events/codec';
import type { EventMeta } from '@assurance/contracts/events/event';
import type { Renaming } from '@assurance/contracts/events/naming';
import { keyOf } from '@assurance/contracts/events/streams';
import type { ArtifactAllowed } from '@assurance/contracts/policies/events';
import { canonicalJson, sha256 } from '@assurance/kernel';
import { shownTarget } from './shown-target';

/** Field values by field name. They never contain a secret or the digest of a secret. */
export type Fields = Readonly<Record<string, unknown>>;

/** The change that an event makes to one subject. */
export interface AdministrativeChange {
  /** The kind of the subject, such as `environment`. */
  readonly kind: string;
  readonly id: string;
  /** Its new name; absent if the event has no name. */
  readonly name?: string;
  /** The fields that the event sets. */
  readonly set: Fields;
  /** Their values before, as far as the event says them. They count for fields that no earlier event set. */
  readonly was?: Fields;
  /** The event removes the subject. */
  readonly ends?: true;
  /** Another subject that begins with the event, which has no entry of its own. */
  readonly begins?: Pick<AdministrativeChange, 'kind' | 'id' | 'set'>;
}

type EventType = AssuranceEvent['type'];
type Data<Type extends EventType> = Extract<AssuranceEvent, { readonly type: Type }>['data'];
type ReadChange<Type extends EventType> = (data: Data<Type>, meta: EventMeta) => AdministrativeChange;
type ReadersByType = { readonly [Type in EventType]?: ReadChange<Type> };

const changeOf = (kind: string, id: string, set: Fields, name?: string): AdministrativeChange => ({
  kind,
  id,
  set,
  ...(name === undefined ? {} : { name }),
});
const end = (kind: string, id: string, name?: string): AdministrativeChange => ({
  ...changeOf(kind, id, {}, name),
  ends: true,
});
const archive = (kind: string, id: string): AdministrativeChange => ({
  ...changeOf(kind, id, { archived: true }),
  was: { archived: false },
});
/** The part of a stream's key after the id of its organization. */
const last = (stream: string) => stream.slice(stream.lastIndexOf('/') + 1);

const changesOf = (kind: string) => ({
  created: ({ id, name, ...set }: { readonly id: string; readonly name: string } & object) =>
    changeOf(kind, id, set, name),
  set: (set: object, { stream }: EventMeta) => changeOf(kind, keyOf(stream), set as Fields),
  renamed: ({ name, previousName }: Renaming, { stream }: EventMeta) => ({
    ...changeOf(kind, keyOf(stream), { name }, name),
    was: { name: previousName },
  }),
  archived: (_: object, { stream }: EventMeta) => archive(kind, keyOf(stream)),
  revived: (set: object, { stream }: EventMeta) => changeOf(kind, keyOf(stream), { archived: false, ...set }),
  tagged: ({ set, removed }: { readonly set: Fields; readonly removed: readonly string[] }, { stream }: EventMeta) =>
    changeOf(kind, keyOf(stream), {
      ...Object.fromEntries(removed.map((key) => [`tags.${key}`, null])),
      ...Object.fromEntries(Object.entries(set).map(([key, value]) => [`tags.${key}`, value])),
    }),
  moved: ({ space, previousSpace }: Move, { stream }: EventMeta) => ({
    ...changeOf(kind, keyOf(stream), { space_id: space }),
    was: { space_id: previousSpace },
  }),
});

const environment = changesOf('environment');
const flow = changesOf('flow');
const policy = changesOf('policy');
const control = changesOf('control');
const attestationType = changesOf('attestation-type');
const account = changesOf('service-account');
const keyFields = ({ description, expiresAt }: ApiKey, { stream }: EventMeta) => ({
  description,
  expires_at: expiresAt,
  service_account_id: keyOf(stream),
});
const holdId = ({ flow: id, trail }: { readonly flow: string; readonly trail: string | null }) =>
  trail === null ? id : `${id}/${trail}`;
const targetsOf = <T extends { readonly targets?: readonly Parameters<typeof shownTarget>[0][] }>(data: T) => ({
  ...data,
  ...(data.targets === undefined ? {} : { targets: data.targets.map(shownTarget) }),
});
const allowance = ({ fingerprint, name, description, expiresAt }: ArtifactAllowed['data'], { stream }: EventMeta) => {
  const end = expiresAt === undefined ? {} : { expires_at: expiresAt / 1_000 };
  return changeOf('environment', keyOf(stream), { [`allowed.${fingerprint}`]: { name, description, ...end } });
};
const space = (id: string, set: Fields, name?: string) => changeOf('space', id, set, name);

/**
 * How each administrative event is shown. Events that are not listed are no administrative changes: reports, evidence, and actions of the service.
 */
const READS = {
  MemberAdded: ({ user, userName, role, source }) => changeOf('member', user, { role, source }, userName),
  MemberRoleChanged: ({ user, userName, role, source }) => changeOf('member', user, { role, source }, userName),
  MemberRemoved: ({ user, userName }) => end('member', user, userName),
  MemberInvited: ({ id, email, role, expiresAt }) => changeOf('invitation', id, { role, expires_at: expiresAt }, email),
  InvitationAccepted: ({ id, email, userName }) => changeOf('invitation', id, { accepted_by: userName }, email),
  InvitationRevoked: ({ id }) => end('invitation', id),

  ServiceAccountCreated: account.created,
  ServiceAccountPrivilegeChanged: ({ privilege }, meta) => account.set({ privilege }, meta),
  ServiceAccountDescribed: account.set,
  ServiceAccountDeleted: (_, { stream }) => end('service-account', keyOf(stream)),
  ApiKeyAdded: (key, meta) => changeOf('api-key', key.id, keyFields(key, meta)),
  ApiKeyRotated: ({ id, until, by }, meta) => ({
    ...changeOf('api-key', id, { expires_at: until, replaced_by: by.id }),
    begins: changeOf('api-key', by.id, keyFields(by, meta)),
  }),
  ApiKeyRevoked: ({ id }) => end('api-key', id),

  SpaceCreated: ({ id, name, parent }) => space(id, { parent_id: parent }, name),
  SpaceRenamed: ({ id, name, previousName }) => ({ ...space(id, { name }, name), was: { name: previousName } }),
  SpaceMoved: ({ id, parent, previousParent }) => ({
    ...space(id, { parent_id: parent }),
    was: { parent_id: previousParent },
  }),
  SpaceArchived: ({ id }) => archive('space', id),
  SpaceRevived: ({ id }) => space(id, { archived: false }),

  EnvironmentCreated: environment.created,
  EnvironmentUpdated: environment.set,
  EnvironmentArchived: environment.archived,
  EnvironmentRevived: environment.revived,
  EnvironmentRenamed: environment.renamed,
  EnvironmentTagged: environment.tagged,
  EnvironmentMoved: environment.moved,
  PolicyAttached: ({ policy: { id, name }, environment: of }, { stream }) =>
    changeOf('environment', keyOf(stream), { [`policies.${name}`]: id }, of),
  PolicyDetached: ({ policy: { name }, environment: of }, { stream }) =>
    changeOf('environment', keyOf(stream), { [`policies.${name}`]: null }, of),
  ArtifactAllowed: allowance,
  AllowanceRevised: allowance,
  AllowanceEnded: ({ fingerprint }, { stream }) =>
    changeOf('environment', keyOf(stream), { [`allowed.${fingerprint}`]: null }),

  FlowCreated: flow.created,
  FlowUpdated: flow.set,
  FlowArchived: flow.archived,
  FlowRevived: flow.revived,
  FlowRenamed: flow.renamed,
  FlowTagged: flow.tagged,
  FlowMoved: flow.moved,
  RepoTagged: changesOf('repository').tagged,

  AttestationTypeCreated: attestationType.created,
  AttestationTypeRevised: attestationType.set,
  AttestationTypeArchived: attestationType.archived,
  AttestationTypeRevived: attestationType.revived,

  ControlCreated: ({ id, identifier, ...set }) => changeOf('control', id, set, identifier),
  ControlUpdated: control.set,
  ControlArchived: control.archived,
  ControlUnarchived: control.revived,
  ControlTagged: control.tagged,

  // The rules are left out, because they only repeat the text.
  PolicyCreated: ({ rules: _, id, name, ...set }) => changeOf('policy', id, { version: 1, ...set }, name),
  PolicyDescribed: policy.set,
  PolicyRevised: ({ rules: _, ...data }, meta) => policy.set(data, meta),

  NotificationCreated: ({ number, name, ...data }) => changeOf('notification', String(number), targetsOf(data), name),
  NotificationUpdated: (data, { stream }) => changeOf('notification', last(stream), targetsOf(data), data.name),
  NotificationDeleted: (_, { stream }) => end('notification', last(stream)),
  NotificationTested: (_, { stream }) => changeOf('notification', last(stream), {}),
  TargetConfigCreated: ({ id, name, ...data }) => changeOf('target-config', id, targetsOf(data), name),
  TargetConfigUpdated: (data, { stream }) => changeOf('target-config', keyOf(stream), targetsOf(data)),
  TargetConfigDeleted: (_, { stream }) => end('target-config', keyOf(stream)),
  SigningSecretIssued: ({ target, secret }, { stream }) =>
    changeOf(stream.startsWith('notification/') ? 'notification' : 'target-config', last(stream), {
      [`signing_secrets.${target}`]: secret.id,
    }),

  RetentionSet: ({ attachments, payloads, snapshots }, { org }) =>
    changeOf('retention', org, { attachments_days: attachments, payloads_days: payloads, snapshots_days: snapshots }),
  HoldPlaced: ({ reason, ...scope }) =>
    changeOf('legal-hold', holdId(scope), { reason, flow_id: scope.flow, trail: scope.trail }),
  HoldReleased: (scope) => end('legal-hold', holdId(scope)),

  VulnerabilitiesImported: ({ filename, ...set }) => changeOf('vulnerabilities', set.sha256, set, filename),
} satisfies ReadersByType;

/** Types of events that are administrative changes. */
export const ADMINISTRATIVE_TYPES: ReadonlySet<string> = new Set(Object.keys(READS));

/** The type of a change in the log: `ServiceAccountCreated` becomes `service_account_created`. */
export function changeType(type: string): string {
  return type.replaceAll(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

/** The change that an event makes; null if the event is not an administrative change. */
export function administrativeChange(event: AssuranceEvent, meta: EventMeta): AdministrativeChange | null {
  const read = (READS as Readonly<Record<string, ReadChange<EventType> | undefined>>)[event.type];
  if (read === undefined) return null;
  const { set, ...change } = read(event.data, meta);
  return {
    ...change,
    set: Object.fromEntries(Object.entries(set).map(([name, value]) => [snake(name), shorten(value)])),
  };
}

/**
 * Converts a field from camel case, which events use, to snake case, which answers use. It keeps a name with a dot, because users chose a part of it.
 */
function snake(name: string): string {
  return name.includes('.') ? name : changeType(name);
}

/** The longest stored value (characters of JSON). Longer values are stored as digests, which show whether they changed. */
const VALUE_MAX = 1_024;

function shorten(value: unknown): unknown {
  const text = canonicalJson(value ?? null);
  return text.length <= VALUE_MAX ? (value ?? null) : { sha256: sha256(text), characters: text.length };
}

/** The known name and fields of a subject. */
export interface Subject {
  readonly name: string;
  readonly fields: Fields;
}

/** The most stored fields of a subject. Tags, policies and allowed artifacts each add fields. */
const FIELDS_MAX = 200;

/** A change with the values before it. */
export interface ShownChange {
  readonly name: string;
  readonly before: Fields;
  readonly after: Fields;
}

/** The change in the form that is shown, and the subject after the change. */
export function applyChange(
  subject: Subject | null,
  { name, id, set, was = {}, ends }: AdministrativeChange,
): { readonly shown: ShownChange; readonly subject: Subject } {
  const previousFields = subject?.fields ?? {};
  const shownAs = name ?? subject?.name ?? id;
  if (ends === true) {
    return { shown: { name: shownAs, before: previousFields, after: {} }, subject: { name: shownAs, fields: {} } };
  }
  const changedFields = Object.entries(set).filter(
    ([key, value]) =>
      !Object.hasOwn(previousFields, key) || canonicalJson(previousFields[key] ?? null) !== canonicalJson(value),
  );
  const knownBefore = { ...was, ...previousFields };
  const before = changedFields.flatMap(([key]) =>
    Object.hasOwn(knownBefore, key) ? [[key, knownBefore[key]] as const] : [],
  );
  const fields = Object.entries({ ...previousFields, ...set }).filter(
    ([key, value]) => value !== null || !key.includes('.'),
  );
  return {
    shown: { name: shownAs, before: Object.fromEntries(before), after: Object.fromEntries(changedFields) },
    subject: { name: shownAs, fields: Object.fromEntries(fields.slice(-FIELDS_MAX)) },
  };
}
