import { Module } from '@nestjs/common';
import { ViewsModule } from '../views/views.module';
import { GetSpaceHandler, ListSpacesHandler } from './spaces';
import { SpaceQueriesController } from './spaces.controller';

/** Spaces. */
@Module({
  imports: [ViewsModule],
  controllers: [SpaceQueriesController],
  providers: [ListSpacesHandler, GetSpaceHandler],
})
export class SpaceQueriesModule {}
