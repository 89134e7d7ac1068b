import { streams } from '@assurance/contracts-events';
import type { Role } from '@assurance/http';
import { environmentActivity, type SecretDocument, secrets } from '@assurance/model';
import { redactedChunks } from '@assurance/storage-records';
import { judgingItems } from '@assurance/work-queue';
import { Module } from '@nestjs/common';
import { AccessModule } from './access/access.module';
import { AggregateStatesController, INGESTION_FEED } from './aggregate-states.controller';
import { AttestationsModule } from './attestations/attestations.module';
import { CoreModule } from './core/core.module';
import { GROUP } from './core/group';
import { EnvironmentsModule } from './environments/environments.module';
import { ReportShortcut } from './environments/report-shortcut';
import { FlowsModule } from './flows/flows.module';
import { JudgingModule } from './judging/judging.module';
import { NamingController } from './naming/naming.controller';
import { NotificationsModule } from './notifications/notifications.module';
import { JoinRepositories } from './operations/join-repositories';
import { MakeOrganization } from './operations/create-organization';
import { EraseOrganization } from './operations/erase-organization';
import { MoveBlobs } from './operations/move-blobs';
import { OperationsModule } from './operations/operations.module';
import { RebuildAggregateStates } from './operations/rebuild-states';
import { RemoveUser } from './operations/remove-user';
import { ResealSecrets } from './operations/reseal-secrets';
import { ListStoredBytes } from './operations/stored-bytes';
import { Verify } from './operations/verify';
import { RetentionModule } from './retention/retention.module';
import { SpacesModule } from './spaces/spaces.module';
import { StandardsModule } from './standards/standards.module';

@Module({
  imports: [
    CoreModule,
    AccessModule,
    SpacesModule,
    StandardsModule,
    FlowsModule,
    AttestationsModule,
    EnvironmentsModule,
    JudgingModule,
    NotificationsModule,
    RetentionModule,
    OperationsModule,
  ],
  controllers: [AggregateStatesController, NamingController],
})
class IngestionModule {}

/** Every command: request, load, decide, commit. Stateless: any instance takes any command. */
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
  ],
  archived: [
    { collection: redactedChunks, ownerOf: () => null, secret: false },
    { collection: environmentActivity, ownerOf: (id) => ({ stream: streams.environment(id) }), secret: false },
    { collection: secrets, ownerOf: (_, doc) => ({ org: (doc as SecretDocument).org }), secret: true },
  ],
  queues: [{ name: 'environments', items: judgingItems }],
  shortcuts: [ReportShortcut],
};
