import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ViewsModule } from '../views/views.module';
import { DiffEnvironmentsHandler, ListEnvironmentEventsHandler } from './environment-events';
import { EnvironmentEventsController } from './environment-events.controller';
import { GetEnvironmentHandler, GetSnapshotHandler, ListSnapshotsHandler } from './environments';
import { EnvironmentQueriesController } from './environments.controller';

/** Environments, their snapshots and events. */
@Module({
  imports: [CqrsModule, ViewsModule],
  controllers: [EnvironmentQueriesController, EnvironmentEventsController],
  providers: [
    GetEnvironmentHandler,
    ListSnapshotsHandler,
    GetSnapshotHandler,
    ListEnvironmentEventsHandler,
    DiffEnvironmentsHandler,
  ],
})
export class EnvironmentQueriesModule {}
