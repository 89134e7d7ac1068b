import { Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module';
import { Sweeping } from '../sweep/sweeping';
import { ChangeRetentionHandler } from './change-retention';
import { RetentionController } from './retention.controller';

/** Retention with legal holds, and the sweep that applies it. */
@Module({
  imports: [CoreModule],
  controllers: [RetentionController],
  providers: [ChangeRetentionHandler, Sweeping],
})
export class RetentionModule {}
