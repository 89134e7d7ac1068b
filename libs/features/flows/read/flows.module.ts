import { Module } from '@nestjs/common';
import { ViewsModule } from '@assurance/event-sourcing/projection/views.module';
import {
  ArtifactsInFlow,
  GetArtifactHandler,
  GetArtifactsOfCommitHandler,
  GetLatestCommitHandler,
  ListArtifactsHandler,
} from './artifacts';
import { GetBuildStatisticsHandler, ListBuildsHandler } from './builds';
import { GetFlowHandler } from './flows';
import { FlowQueriesController } from './flows.controller';
import { GetRepoLiveArtifactsHandler } from './live-artifacts';
import { GetRepoFilterOptionsHandler, GetRepoHandler, ListReposHandler, ListRepoTagsHandler } from './repos';
import { RepoQueriesController } from './repos.controller';
import { SearchHandler } from './search';
import { GetTrailHandler, ListTrailsHandler } from './trails';

/** Queries for flows, trails, artifacts and repositories, and the search. */
@Module({
  imports: [ViewsModule],
  controllers: [FlowQueriesController, RepoQueriesController],
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
    ListRepoTagsHandler,
    GetRepoFilterOptionsHandler,
    GetRepoLiveArtifactsHandler,
    ListBuildsHandler,
    GetBuildStatisticsHandler,
    SearchHandler,
  ],
})
export class FlowQueriesModule {}
