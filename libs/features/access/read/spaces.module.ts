import { Module } from '@nestjs/common';
import { ViewsModule } from '@assurance/event-sourcing/projection/views.module';
import { GetSpaceHandler, ListSpacesHandler } from './spaces';
import { SpaceQueriesController } from './spaces.controller';

@Module({
  imports: [ViewsModule],
  controllers: [SpaceQueriesController],
  providers: [ListSpacesHandler, GetSpaceHandler],
})
export class SpaceQueriesModule {}
