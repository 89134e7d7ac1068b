import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ViewsModule } from '../views/views.module';
import { ListEnvironmentsHandler, ListFlowsHandler } from './catalogue';
import { CatalogueController } from './catalogue.controller';

/** Lists of environments and flows. */
@Module({
  imports: [CqrsModule, ViewsModule],
  controllers: [CatalogueController],
  providers: [ListEnvironmentsHandler, ListFlowsHandler],
})
export class CatalogueModule {}
