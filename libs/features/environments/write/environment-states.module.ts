import { CoreModule } from '@assurance/access/write/core.module';
import { PORTS, type Ports } from '@assurance/event-sourcing/tokens';
import { Module } from '@nestjs/common';
import { Activity } from './activity';
import { Environments } from './environments';

/** The states of environments with what they run, and when they were reported. */
@Module({
  imports: [CoreModule],
  providers: [
    { provide: Activity, inject: [PORTS], useFactory: ({ documents }: Ports) => new Activity(documents) },
    Environments,
  ],
  exports: [Activity, Environments],
})
export class EnvironmentStatesModule {}
