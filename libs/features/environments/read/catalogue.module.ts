import { Module } from '@nestjs/common';
import { ViewsModule } from '@assurance/event-sourcing/projection/views.module';
import { ListEnvironmentsHandler, ListFlowsHandler } from './catalogue';
import { CatalogueController } from './catalogue.controller';
import { FindAnythingHandler } from './find-anything';

/** Lists of environments and flows. */
@Module({
  imports: [ViewsModule],
  controllers: [CatalogueController],
  providers: [ListEnvironmentsHandler, ListFlowsHandler, FindAnythingHandler],
})
export class CatalogueModule {}
