import { type CollectionShape, index, type InlineProjection } from '@assurance/contracts/events/aggregate';
import type { EventMeta } from '@assurance/contracts/events/event';
import { keyOf } from '@assurance/contracts/events/streams';
import type { PolicyRef } from '@assurance/contracts/policies/events';

/** A policy that is attached to an environment. */
export interface AttachmentDocument {
  readonly org: string;
  readonly policy: string;
  readonly environment: string;
}

/** One document for each attached pair of environment and policy. */
export const policyAttachments: CollectionShape<AttachmentDocument> = {
  name: 'policy_attachments',
  deferred: 'first',
  indexes: [index('by_policy', 'policy', 'environment')],
};

/** An attachment or detachment of a policy. It is never removed. */
export interface PolicyUseDocument {
  readonly policy: string;
  readonly kind: 'attached' | 'detached';
  /** The environment's name at that time. */
  readonly environment: string;
  /** Integer milliseconds. */
  readonly at: number;
  /** Id of the user or service account. */
  readonly by: string;
}

export const policyUses: CollectionShape<PolicyUseDocument> = {
  name: 'policy_uses',
  deferred: 'first',
  indexes: [index('by_policy', 'policy', '-at')],
};

/** The documents that attaching or detaching a policy writes. */
export function useOf(
  kind: PolicyUseDocument['kind'],
  { policy, environment: name }: { readonly policy: PolicyRef; readonly environment: string },
  { org, stream, seq, at, actor }: EventMeta,
): InlineProjection[] {
  const environment = keyOf(stream);
  const use: PolicyUseDocument = { policy: policy.id, kind, environment: name, at, by: actor };
  const attachment: AttachmentDocument | null = kind === 'attached' ? { org, policy: policy.id, environment } : null;
  return [
    { collection: policyUses, id: `${policy.id}/${environment}/${seq}`, doc: use },
    { collection: policyAttachments, id: `${policy.id}/${environment}`, doc: attachment },
  ];
}
