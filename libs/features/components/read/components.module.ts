import { ViewsModule } from '@assurance/event-sourcing/projection/views.module';
import { COMPONENT_MATCHES } from '@assurance/environments/read/further-matches';
import { Global, Module } from '@nestjs/common';
import { FindComponentsHandler } from './components';
import { ComponentsController } from './components.controller';
import {
  CompareComponentsHandler,
  ListArtifactComponentsHandler,
  ListEnvironmentComponentsHandler,
} from './inventories';
import { LocatedArtifacts } from './located-artifacts';
import { ComponentMatches } from './matches';

/** What artifacts contain, and where that runs. The module is global, because the search of an earlier feature finds components. */
@Global()
@Module({
  imports: [ViewsModule],
  controllers: [ComponentsController],
  providers: [
    LocatedArtifacts,
    FindComponentsHandler,
    ListArtifactComponentsHandler,
    ListEnvironmentComponentsHandler,
    CompareComponentsHandler,
    { provide: COMPONENT_MATCHES, useClass: ComponentMatches },
  ],
  exports: [LocatedArtifacts, COMPONENT_MATCHES],
})
export class ComponentsModule {}
