import { administrators } from '@assurance/access/domain/administrators';
import { declaration } from '@assurance/access/domain/declaration';
import { externalIdentity } from '@assurance/access/domain/external-identity';
import { invitation } from '@assurance/access/domain/invitation';
import { membership } from '@assurance/access/domain/membership';
import { name } from '@assurance/access/domain/name';
import { organization } from '@assurance/access/domain/organization';
import { serviceAccount } from '@assurance/access/domain/service-account';
import { spaceTree } from '@assurance/access/domain/tree';
import { user } from '@assurance/access/domain/user';
import type { Aggregate } from '@assurance/contracts/events/aggregate';
import type { DomainEvent } from '@assurance/contracts/events/event';
import { environment } from '@assurance/environments/domain/environment';
import { attestationType } from '@assurance/evidence/domain/attestation-type';
import { retention } from '@assurance/evidence/domain/retention';
import { flow } from '@assurance/flows/domain/flow';
import { repo } from '@assurance/flows/domain/repo';
import { looseArtifact, trail } from '@assurance/flows/domain/trail';
import { notification, notificationNumbers } from '@assurance/notifications/domain/notification';
import { targetConfig } from '@assurance/notifications/domain/target-config';
import { control } from '@assurance/policies/domain/control';
import { policy } from '@assurance/policies/domain/policy';
import { exposure } from '@assurance/vulnerabilities/domain/exposure';
import { vulnerabilities } from '@assurance/vulnerabilities/domain/imports';

/** The aggregate of every kind of stream. */
export const aggregates: ReadonlyMap<string, Aggregate<object, DomainEvent>> = new Map(
  [
    administrators,
    attestationType,
    control,
    declaration,
    environment,
    exposure,
    externalIdentity,
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
    retention,
    serviceAccount,
    spaceTree,
    targetConfig,
    trail,
    user,
    vulnerabilities,
  ].map((aggregate) => [aggregate.kind, aggregate as unknown as Aggregate<object, DomainEvent>]),
);
