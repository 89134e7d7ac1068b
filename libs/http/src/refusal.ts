import type { FieldErrors } from '@assurance/contracts-http';
import type { TakenShare } from './refusal-texts';
import type { Limits } from './tokens';

/** Why a call is not carried out, by name. `refusals.ts` alone turns names into statuses and texts. */
export type Refusal =
  | { readonly kind: 'unauthenticated' }
  | { readonly kind: 'forbidden' }
  /** It came with a session, would change something and does not show that a page of the service sent it. */
  | { readonly kind: 'not-from-page' }
  | { readonly kind: 'organization-denied'; readonly name: string }
  /** One text a field, by its path. */
  | { readonly kind: 'invalid'; readonly errors: FieldErrors }
  | { readonly kind: 'route-unknown' }
  /** The path is there with other methods alone. */
  | { readonly kind: 'method-unknown'; readonly method: string; readonly allowed: readonly string[] }
  | { readonly kind: 'media-type'; readonly given: string }
  /** A body that is compressed or otherwise encoded. */
  | { readonly kind: 'body-encoded'; readonly encoding: string }
  /** A body that came more slowly than a body may. */
  | { readonly kind: 'body-too-slow' }
  | { readonly kind: 'body-too-large'; readonly limit: number }
  | { readonly kind: 'attachments-too-large'; readonly limit: number }
  | { readonly kind: 'too-many-parts'; readonly parts: 'fields' | 'files' | 'parts'; readonly limit: number }
  | { readonly kind: 'too-many-artifacts'; readonly limit: number; readonly count: number }
  /** The organization has as many as it may have. */
  | {
      readonly kind: 'too-many';
      readonly things:
        | keyof Limits['perOrganization']
        | 'notifications'
        | 'target configurations'
        | 'administrators'
        | 'open invitations';
      readonly limit: number;
    }
  /** The organization has stored as many bytes as it may. */
  | { readonly kind: 'storage-full'; readonly of: 'events' | 'attachments'; readonly limit: number }
  /** A key or an organization has asked for more in this minute than it may. */
  | { readonly kind: 'too-many-requests'; readonly limit: number; readonly seconds: number }
  /** Too many requests with wrong keys came from the caller's address. */
  | { readonly kind: 'too-many-wrong-keys'; readonly seconds: number }
  /** As many open connections for live updates as there may be. */
  | {
      readonly kind: 'too-many-followers';
      readonly whose: 'caller' | 'organization' | 'gateway';
      readonly limit: number;
    }
  /** As much of the caller's, or of the organization's, is under way as may be at once. */
  | ({ readonly kind: 'share-taken' } & TakenShare)
  | { readonly kind: 'too-much-to-evaluate'; readonly seconds: number }
  /** More is under way than the service takes at once. */
  | { readonly kind: 'too-busy' }
  /** What the query reads is being built, after an update of the service. */
  | { readonly kind: 'view-building' }
  /** The process that answers cannot be asked; nothing was done. */
  | { readonly kind: 'service-away' }
  /** The process that answers was asked and gave no whole answer: it may have done it. */
  | { readonly kind: 'service-silent' }
  | { readonly kind: 'lost-race' }
  | { readonly kind: 'attestation-type-unknown'; readonly org: string; readonly name: string }
  | { readonly kind: 'attestation-type-version-unknown'; readonly name: string; readonly version: number }
  | { readonly kind: 'too-many-versions'; readonly limit: number }
  | { readonly kind: 'control-unknown'; readonly org: string; readonly identifier: string }
  | { readonly kind: 'control-exists'; readonly org: string; readonly identifier: string }
  | { readonly kind: 'environment-unknown'; readonly name: string; readonly org: string }
  | { readonly kind: 'environment-archived'; readonly name: string }
  | { readonly kind: 'environment-not-logical'; readonly name: string; readonly is: string }
  | { readonly kind: 'member-not-physical'; readonly name: string }
  | { readonly kind: 'too-many-members'; readonly limit: number }
  | { readonly kind: 'environment-type-changed'; readonly is: string; readonly given: string }
  | { readonly kind: 'environment-wrong-kind'; readonly expected: string; readonly given: string }
  | { readonly kind: 'policy-unknown'; readonly name: string; readonly org: string }
  | { readonly kind: 'too-many-policies'; readonly limit: number }
  | { readonly kind: 'flow-unknown'; readonly name: string; readonly org: string }
  /** Known in no flow at all. */
  | { readonly kind: 'fingerprint-unknown'; readonly fingerprint: string }
  | { readonly kind: 'flow-archived'; readonly name: string }
  | { readonly kind: 'name-taken'; readonly name: string }
  | { readonly kind: 'too-many-tags'; readonly tags: number; readonly characters: number }
  /** An attestation of an artifact that says neither which one nor of which commit. */
  | { readonly kind: 'attestation-unbound'; readonly name: string; readonly artifact: string }
  /** An attestation of an artifact that was not reported in its trail. */
  | {
      readonly kind: 'attested-artifact-unknown';
      readonly fingerprint: string;
      readonly trail: string;
      readonly flow: string;
      readonly org: string;
    }
  /** The trail has as many attestations of different targets and names as it may have. */
  | { readonly kind: 'too-many-attestations'; readonly limit: number }
  | { readonly kind: 'attestation-unknown'; readonly id: string }
  /** It came without a file. */
  | { readonly kind: 'evidence-none'; readonly id: string }
  | { readonly kind: 'trail-unknown'; readonly name: string; readonly org: string; readonly flow: string }
  | { readonly kind: 'template-invalid'; readonly errors: FieldErrors }
  | { readonly kind: 'artifact-unknown'; readonly asked: string; readonly org: string; readonly flow: string }
  | { readonly kind: 'service-account-unknown' }
  | { readonly kind: 'key-unknown' }
  | { readonly kind: 'key-expired'; /** Epoch seconds. */ readonly expiresAt: number }
  | { readonly kind: 'too-many-keys'; readonly limit: number }
  /** It has its user as its only member, and no service accounts. */
  | { readonly kind: 'organization-personal' }
  /** Of somebody who is no member, and no address to invite. */
  | { readonly kind: 'member-uninvited'; readonly name: string; readonly org: string }
  | { readonly kind: 'member-unknown'; readonly name: string; readonly org: string }
  | { readonly kind: 'last-admin' }
  | { readonly kind: 'space-unknown'; readonly id: string; readonly org: string }
  | { readonly kind: 'space-archived'; readonly id: string }
  /** The space that something is to go to is unknown or archived. */
  | { readonly kind: 'space-not-there'; readonly field: string; readonly id: string }
  | { readonly kind: 'space-name-taken'; readonly field: string; readonly name: string }
  | { readonly kind: 'space-inside-itself'; readonly id: string }
  | { readonly kind: 'space-too-deep'; readonly limit: number }
  | {
      readonly kind: 'space-not-empty';
      readonly name: string;
      readonly spaces: number;
      readonly environments: number;
      readonly flows: number;
    }
  | { readonly kind: 'too-many-spaces'; readonly limit: number }
  | { readonly kind: 'invitation-unknown' }
  /** Used, revoked, expired or never made. */
  | { readonly kind: 'invitation-invalid' }
  /** The user has another address than the one that was invited. */
  | { readonly kind: 'invitation-elsewhere' }
  | { readonly kind: 'member-already' }
  | { readonly kind: 'too-many-organizations'; readonly limit: number }
  | { readonly kind: 'search-empty'; readonly asked: string }
  | { readonly kind: 'notification-unknown' }
  | { readonly kind: 'target-config-unknown'; readonly name: string; readonly org: string }
  | { readonly kind: 'target-config-used'; readonly name: string; readonly by: string }
  | { readonly kind: 'target-unsigned'; readonly target: string }
  | { readonly kind: 'repo-unknown'; readonly name: string }
  | { readonly kind: 'repo-ambiguous'; readonly name: string; readonly providers: readonly (string | null)[] }
  /** `asked` and `resolved` with the environment's name before them: `production#-1`, `production#0`. */
  | {
      readonly kind: 'snapshot-unknown';
      readonly org: string;
      readonly asked: string;
      readonly resolved: string;
      readonly count: number;
    };
