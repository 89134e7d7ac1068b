import { Module } from '@nestjs/common';
import { CoreModule } from '@assurance/access/write/core.module';
import { ChangeRetentionHandler } from './change-retention';
import { RetentionController } from './retention.controller';
import { BlobSweeper } from './sweep/sweeping';

/** Retention with legal holds, and the sweep that applies it. */
@Module({
  imports: [CoreModule],
  controllers: [RetentionController],
  providers: [ChangeRetentionHandler, BlobSweeper],
})
export class RetentionModule {}
