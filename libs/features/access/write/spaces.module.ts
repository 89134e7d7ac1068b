import { Module } from '@nestjs/common';
import { CoreModule } from './core.module';
import { ChangeSpaceHandler, PutSpaceHandler, Spaces } from './spaces';
import { SpacesController } from './spaces.controller';

/** Spaces, which group environments and flows. */
@Module({
  imports: [CoreModule],
  controllers: [SpacesController],
  providers: [Spaces, PutSpaceHandler, ChangeSpaceHandler],
  exports: [Spaces],
})
export class SpacesModule {}
