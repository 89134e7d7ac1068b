import { Module } from '@nestjs/common';
import { ViewsModule } from '@assurance/event-sourcing/projection/views.module';
import {
  ArtifactsInFlow,
  GetArtifactHandler,
  GetArtifactsOfCommitHandler,
  GetLatestCommitHandler,
  ListArtifactsHandler,
} from './artifacts';
import { GetFlowHandler } from './flows';
import { FlowQueriesController } from './flows.controller';
import { GetRepoHandler, ListReposHandler } from './repos';
import { SearchHandler } from './search';
import { GetTrailHandler, ListTrailsHandler } from './trails';

/** Flows, trails, artifacts, repositories and search. */
@Module({
  imports: [ViewsModule],
  controllers: [FlowQueriesController],
  providers: [
    GetFlowHandler,
    GetTrailHandler,
    ListTrailsHandler,
    ArtifactsInFlow,
    GetArtifactHandler,
    GetArtifactsOfCommitHandler,
    ListArtifactsHandler,
    GetLatestCommitHandler,
    ListReposHandler,
    GetRepoHandler,
    SearchHandler,
  ],
})
export class FlowQueriesModule {}
