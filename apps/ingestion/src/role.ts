import { AccessModule } from '@assurance/access/write/access.module';
import { CoreModule } from '@assurance/access/write/core.module';
import { SpacesModule } from '@assurance/access/write/spaces.module';
import { AggregateStatesController, INGESTION_FEED } from '@assurance/audit/write/aggregate-states.controller';
import { MakeOrganization } from '@assurance/audit/write/operations/create-organization';
import { EraseOrganization } from '@assurance/audit/write/operations/erase-organization';
import { JoinRepositories } from '@assurance/audit/write/operations/join-repositories';
import { MoveBlobs } from '@assurance/audit/write/operations/move-blobs';
import { OperationsModule } from '@assurance/audit/write/operations/operations.module';
import { RebuildAggregateStates } from '@assurance/audit/write/operations/rebuild-states';
import { RemoveUser } from '@assurance/audit/write/operations/remove-user';
import { ResealSecrets } from '@assurance/audit/write/operations/reseal-secrets';
import { ListStoredBytes } from '@assurance/audit/write/operations/stored-bytes';
import { Verify } from '@assurance/audit/write/operations/verify';
import { RetentionModule } from '@assurance/audit/write/retention.module';
import { streams } from '@assurance/contracts/events/streams';
import { environmentActivity } from '@assurance/environments/domain/reports';
import { judgingItems } from '@assurance/environments/judging/judging-queue';
import { EnvironmentsModule } from '@assurance/environments/write/environments.module';
import { JudgingModule } from '@assurance/environments/write/judging/judging.module';
import { NamingController } from '@assurance/environments/write/naming.controller';
import { ReportShortcut } from '@assurance/environments/write/report-shortcut';
import { redactedChunks } from '@assurance/event-sourcing/checkpoints/checkpoint';
import { GROUP } from '@assurance/event-sourcing/command/group';
import { AttestationsModule } from '@assurance/evidence/write/attestations.module';
import { FlowsModule } from '@assurance/flows/write/flows.module';
import type { Role } from '@assurance/http';
import { type SecretDocument, secrets } from '@assurance/notifications/domain/secret';
import { NotificationsModule } from '@assurance/notifications/write/notifications.module';
import { PoliciesModule } from '@assurance/policies/write/policies.module';
import { KnownVulnerabilitiesModule } from '@assurance/vulnerabilities/read/known-vulnerabilities.module';
import { exposureItems } from '@assurance/vulnerabilities/write/exposure-worker';
import { failingSources, sources } from '@assurance/vulnerabilities/write/fetch/sources';
import { ImportVulnerabilitiesFile } from '@assurance/vulnerabilities/write/import-vulnerabilities-file';
import { VulnerabilitiesModule } from '@assurance/vulnerabilities/write/vulnerabilities.module';
import { Module } from '@nestjs/common';

@Module({
  imports: [
    CoreModule,
    AccessModule,
    SpacesModule,
    PoliciesModule,
    FlowsModule,
    AttestationsModule,
    EnvironmentsModule,
    JudgingModule,
    NotificationsModule,
    RetentionModule,
    OperationsModule,
    VulnerabilitiesModule,
    KnownVulnerabilitiesModule,
  ],
  controllers: [AggregateStatesController, NamingController],
})
class IngestionModule {}

/** Carries out every command: it loads the state, decides and commits. It is stateless, so any instance can take any command. */
export const ingestion: Role = {
  name: 'ingestion',
  module: IngestionModule,
  needs: ['events', 'documents', 'feed', 'blobs', 'relay'],
  consumes: [{ group: GROUP, transport: INGESTION_FEED }],
  operations: [
    RebuildAggregateStates,
    ResealSecrets,
    Verify,
    MakeOrganization,
    EraseOrganization,
    RemoveUser,
    ListStoredBytes,
    MoveBlobs,
    JoinRepositories,
    ImportVulnerabilitiesFile,
  ],
  archived: [
    { collection: redactedChunks, ownerOf: () => null, secret: false },
    { collection: environmentActivity, ownerOf: (id) => ({ stream: streams.environment(id) }), secret: false },
    { collection: secrets, ownerOf: (_, doc) => ({ org: (doc as SecretDocument).org }), secret: true },
  ],
  queues: [
    { name: 'environments', items: judgingItems },
    { name: 'exposures', items: exposureItems },
  ],
  counts: [
    {
      name: 'assurance_late_environments',
      help: 'Environments that were not reported for longer than they may be',
      collection: environmentActivity,
      where: () => ({ late: true }),
    },
    {
      name: 'assurance_vulnerability_sources_failing',
      help: 'Addresses of vulnerabilities whose last read failed',
      collection: sources,
      where: failingSources,
    },
  ],
  shortcuts: [ReportShortcut],
};
