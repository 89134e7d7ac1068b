import { Module } from '@nestjs/common';
import { ViewsModule } from '@assurance/event-sourcing/projection/views.module';
import { AuditLogController } from './audit-log.controller';
import { ListAuditLogHandler, ListEventsHandler } from './audit-log.query';

/** Administrative changes, and events for other programs. */
@Module({
  imports: [ViewsModule],
  controllers: [AuditLogController],
  providers: [ListAuditLogHandler, ListEventsHandler],
})
export class AuditLogModule {}
