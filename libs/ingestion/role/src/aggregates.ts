import type { Aggregate, DomainEvent } from '@assurance/contracts-events';
import * as model from '@assurance/model';

/** Every kind of stream there is, with how it folds. */
export const aggregates: ReadonlyMap<string, Aggregate<object, DomainEvent>> = new Map(
  [
    model.administrators,
    model.attestationType,
    model.control,
    model.declaration,
    model.environment,
    model.externalIdentity,
    model.flow,
    model.invitation,
    model.looseArtifact,
    model.membership,
    model.name,
    model.notification,
    model.notificationNumbers,
    model.organization,
    model.policy,
    model.repo,
    model.retention,
    model.serviceAccount,
    model.spaceTree,
    model.targetConfig,
    model.trail,
    model.user,
  ].map((aggregate) => [aggregate.kind, aggregate as unknown as Aggregate<object, DomainEvent>]),
);
