import { Generations } from '@assurance/event-sourcing/projection/generations';
import { PORTS, type Ports } from '@assurance/event-sourcing/tokens';
import { KNOWN_VULNERABILITIES } from '@assurance/policies/lookups/known-vulnerabilities';
import { Global, Module } from '@nestjs/common';
import { VulnerabilitiesInView } from './known-vulnerabilities';

/** Provides the vulnerabilities of components to every role that evaluates policies. */
@Global()
@Module({
  providers: [
    {
      provide: VulnerabilitiesInView,
      inject: [PORTS],
      useFactory: (ports: Ports) => new VulnerabilitiesInView(ports, new Generations(ports)),
    },
    { provide: KNOWN_VULNERABILITIES, useExisting: VulnerabilitiesInView },
  ],
  exports: [KNOWN_VULNERABILITIES, VulnerabilitiesInView],
})
export class KnownVulnerabilitiesModule {}
