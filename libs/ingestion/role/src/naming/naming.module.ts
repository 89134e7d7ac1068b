import { Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module';
import { NamingController } from './naming.controller';

/** Changes of settings, names and tags. The handlers are in the modules of what changes. */
@Module({ imports: [CoreModule], controllers: [NamingController] })
export class NamingModule {}
