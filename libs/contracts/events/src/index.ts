export * from './aggregate';
export * from './access';
export * from './administrators';
export * from './attestation';
export * from './attestation-type';
export * from './checkpoint';
export * from './codec';
export * from './context';
export * from './control';
export * from './declaration';
export * from './environment';
export * from './event';
export * from './external-identity';
export * from './flow';
export * from './invitation';
export * from './naming';
export * from './policy';
export * from './notification';
export * from './provenance';
export * from './public-event';
export * from './repo';
export * from './retention';
export * from './space';
export * from './streams';
export * from './verdict';

import type { MembershipEvent, NameEvent, OrganizationEvent, ServiceAccountEvent, UserEvent } from './access';
import type { AdministratorsEvent } from './administrators';
import type { AttestationTypeEvent } from './attestation-type';
import type { ControlEvent } from './control';
import type { DeclarationEvent } from './declaration';
import type { EnvironmentEvent } from './environment';
import type { ExternalIdentityEvent } from './external-identity';
import type { ArtifactEvent, FlowEvent, TrailEvent } from './flow';
import type { InvitationEvent } from './invitation';
import type { NotificationEvent, NotificationNumbersEvent, TargetConfigEvent } from './notification';
import type { PolicyEvent } from './policy';
import type { RepoEvent } from './repo';
import type { RetentionEvent } from './retention';
import type { SpaceEvent } from './space';

/** Every event there is. */
export type AssuranceEvent =
  | OrganizationEvent
  | UserEvent
  | MembershipEvent
  | AdministratorsEvent
  | InvitationEvent
  | ExternalIdentityEvent
  | DeclarationEvent
  | ServiceAccountEvent
  | NameEvent
  | AttestationTypeEvent
  | ControlEvent
  | EnvironmentEvent
  | FlowEvent
  | TrailEvent
  | ArtifactEvent
  | NotificationEvent
  | NotificationNumbersEvent
  | TargetConfigEvent
  | PolicyEvent
  | RepoEvent
  | RetentionEvent
  | SpaceEvent;
