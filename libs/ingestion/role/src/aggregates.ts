import type { Aggregate, DomainEvent } from '@assurance/contracts-events';
import {
  administrators,
  declaration,
  invitation,
  membership,
  name,
  organization,
  serviceAccount,
  user,
} from '@assurance/model-access';
import { attestationType } from '@assurance/model-attestation-type';
import { control } from '@assurance/model-control';
import { environment } from '@assurance/model-environment';
import { flow, looseArtifact, trail } from '@assurance/model-flow';
import { notification, notificationNumbers, targetConfig } from '@assurance/model-notification';
import { policy } from '@assurance/model-policy';
import { repo } from '@assurance/model-repo';
import { spaceTree } from '@assurance/model-space';

/** Every kind of stream there is, with how it folds. */
export const aggregates: ReadonlyMap<string, Aggregate<object, DomainEvent>> = new Map(
  [
    administrators,
    attestationType,
    control,
    declaration,
    environment,
    flow,
    invitation,
    looseArtifact,
    membership,
    name,
    notification,
    notificationNumbers,
    organization,
    policy,
    repo,
    serviceAccount,
    spaceTree,
    targetConfig,
    trail,
    user,
  ].map((aggregate) => [aggregate.kind, aggregate as unknown as Aggregate<object, DomainEvent>]),
);
