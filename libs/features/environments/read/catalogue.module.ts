import { Module } from '@nestjs/common';
import { ViewsModule } from '@assurance/event-sourcing/projection/views.module';
import { ListEnvironmentsHandler, ListFlowsHandler } from './catalogue';
import { CatalogueController } from './catalogue.controller';

/** Lists of environments and flows. */
@Module({
  imports: [ViewsModule],
  controllers: [CatalogueController],
  providers: [ListEnvironmentsHandler, ListFlowsHandler],
})
export class CatalogueModule {}
