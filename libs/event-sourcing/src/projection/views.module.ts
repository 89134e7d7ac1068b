import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { BuildViews } from './build-views';
import { FeedController } from './feed.controller';
import { Generations } from './generations';
import { RebuildView } from './rebuild-view';
import { SlowViews } from './slow-views';
import { Views } from './views';

/** Follows the feed, builds views, and reads them. */
@Module({
  imports: [CqrsModule],
  controllers: [FeedController],
  providers: [Generations, Views, RebuildView, BuildViews, SlowViews],
  exports: [CqrsModule, Views],
})
export class ViewsModule {}
