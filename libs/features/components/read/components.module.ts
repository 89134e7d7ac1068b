import { ViewsModule } from '@assurance/event-sourcing/projection/views.module';
import { Module } from '@nestjs/common';
import { FindComponentsHandler } from './components';
import { ComponentsController } from './components.controller';
import {
  CompareComponentsHandler,
  ListArtifactComponentsHandler,
  ListEnvironmentComponentsHandler,
} from './inventories';
import { LocatedArtifacts } from './located-artifacts';

/** What artifacts contain, and where that runs. */
@Module({
  imports: [ViewsModule],
  controllers: [ComponentsController],
  providers: [
    LocatedArtifacts,
    FindComponentsHandler,
    ListArtifactComponentsHandler,
    ListEnvironmentComponentsHandler,
    CompareComponentsHandler,
  ],
  exports: [LocatedArtifacts],
})
export class ComponentsModule {}
