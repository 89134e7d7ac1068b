import type {
  AcceptRefusal,
  AdministerRefusal,
  AttachRefusal,
  CreateControlRefusal,
  JoinRefusal,
  PostAttestationTypeRefusal,
  NotificationUnknown,
  KeyRefusal,
  PutEnvironmentRefusal,
  RenameRefusal,
  ReportRefusal,
  SpaceRefusal,
  TagsRefusal,
  TargetConfigUnknown,
  TargetConfigUsed,
  TargetUnsigned,
} from '@assurance/ingestion-domain';

/** Why a command was not carried out. One name a reason; the HTTP edge chooses status and text. */
export type CommandRefusal =
  | ReportRefusal
  | PutEnvironmentRefusal
  | RenameRefusal
  | TagsRefusal
  | (SpaceRefusal & { readonly org: string })
  | PostAttestationTypeRefusal
  | { readonly kind: 'attestation-type-unknown'; readonly org: string; readonly name: string }
  | AttachRefusal
  | (CreateControlRefusal & { readonly org: string })
  | { readonly kind: 'control-unknown'; readonly org: string; readonly identifier: string }
  | NotificationUnknown
  | TargetConfigUnknown
  | TargetConfigUsed
  | TargetUnsigned
  | KeyRefusal
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'service-account-unknown' }
  | { readonly kind: 'organization-personal' }
  | { readonly kind: 'member-uninvited'; readonly name: string; readonly org: string }
  | AdministerRefusal
  | AcceptRefusal
  | { readonly kind: 'invitation-unknown' }
  | { readonly kind: 'too-many'; readonly things: 'open invitations'; readonly limit: number }
  | { readonly kind: 'too-many-organizations'; readonly limit: number }
  | { readonly kind: 'member-unknown'; readonly name: string; readonly org: string }
  | { readonly kind: 'environment-unknown'; readonly org: string; readonly name: string }
  | JoinRefusal
  | { readonly kind: 'member-not-physical'; readonly name: string }
  | { readonly kind: 'environment-archived'; readonly name: string }
  | { readonly kind: 'policy-unknown'; readonly org: string; readonly name: string }
  | { readonly kind: 'flow-unknown'; readonly org: string; readonly name: string }
  | { readonly kind: 'flow-archived'; readonly name: string }
  | {
      readonly kind: 'attested-artifact-unknown';
      readonly fingerprint: string;
      readonly trail: string;
      readonly flow: string;
      readonly org: string;
    }
  | { readonly kind: 'too-many-attestations'; readonly limit: number }
  | { readonly kind: 'repo-unknown'; readonly name: string }
  | { readonly kind: 'organization-denied'; readonly name: string }
  | { readonly kind: 'invalid'; readonly errors: Readonly<Record<string, string>> };
