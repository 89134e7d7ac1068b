import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { NamingController } from './naming.controller';

/** Changes of settings, names and tags. The handlers are in the modules of what changes. */
@Module({ imports: [CqrsModule], controllers: [NamingController] })
export class NamingModule {}
