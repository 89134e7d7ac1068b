import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { BuildViews } from './build-views';
import { FeedController } from './feed.controller';
import { Generations } from './generations';
import { Lookups } from './lookups';
import { RebuildView } from './rebuild-view';
import { Views } from './view';

/** Follows the feed, builds views, and reads them. */
@Module({
  imports: [CqrsModule],
  controllers: [FeedController],
  providers: [Generations, Views, RebuildView, BuildViews, Lookups],
  exports: [CqrsModule, Views, Lookups],
})
export class ViewsModule {}
