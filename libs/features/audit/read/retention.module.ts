import { Module } from '@nestjs/common';
import { ViewsModule } from '@assurance/event-sourcing/projection/views.module';
import { GetRetentionHandler } from './retention';
import { RetentionQueriesController } from './retention.controller';

/** The retention of an organization. */
@Module({
  imports: [ViewsModule],
  controllers: [RetentionQueriesController],
  providers: [GetRetentionHandler],
})
export class RetentionQueriesModule {}
