import { Evaluator } from '@assurance/evaluator';
import { Streams } from '@assurance/event-sourcing/command/streams';
import {
  CLOCK,
  type Clock,
  IDS,
  type Ids,
  PORTS,
  type Ports,
  type Settings,
  SETTINGS,
} from '@assurance/event-sourcing/tokens';
import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { OrganizationLimits } from './organization-limits';
import { Register } from './register';

/** Providers that the features share: streams, the register of names, environments, limits, rules of users. */
@Module({
  imports: [CqrsModule],
  providers: [
    Register,
    {
      provide: OrganizationLimits,
      inject: [PORTS, SETTINGS],
      useFactory: (ports: Ports, { limits }: Settings) => new OrganizationLimits(ports, limits.perOrganization),
    },
    {
      provide: Streams,
      inject: [PORTS, CLOCK, IDS],
      useFactory: (ports: Ports, clock: Clock, ids: Ids) =>
        new Streams(ports, {
          now: () => clock.now(),
          id: () => ids.next(),
          random: () => (ids.random(1)[0] ?? 0) / 256,
        }),
    },
    { provide: Evaluator, useFactory: () => new Evaluator() },
  ],
  exports: [CqrsModule, Streams, Register, OrganizationLimits, Evaluator],
})
export class CoreModule {}
