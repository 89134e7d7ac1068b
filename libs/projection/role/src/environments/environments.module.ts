import { Module } from '@nestjs/common';
import { ViewsModule } from '../views/views.module';
import { DiffEnvironmentsHandler, ListEnvironmentEventsHandler } from './environment-events';
import { EnvironmentQueriesController } from './environments.controller';
import { GetEnvironmentHandler, GetSnapshotHandler, ListSnapshotsHandler } from './environments';

/** Environments, their snapshots and events. */
@Module({
  imports: [ViewsModule],
  controllers: [EnvironmentQueriesController],
  providers: [
    GetEnvironmentHandler,
    ListSnapshotsHandler,
    GetSnapshotHandler,
    ListEnvironmentEventsHandler,
    DiffEnvironmentsHandler,
  ],
})
export class EnvironmentQueriesModule {}
