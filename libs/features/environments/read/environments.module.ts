import { Evaluator } from '@assurance/evaluator';
import { ViewsModule } from '@assurance/event-sourcing/projection/views.module';
import { CLOCK, type Clock, PORTS, type Ports } from '@assurance/event-sourcing/tokens';
import { Bills } from '@assurance/policies/lookups/bills';
import { KNOWN_VULNERABILITIES, type KnownVulnerabilities } from '@assurance/policies/lookups/known-vulnerabilities';
import { PoliciesInForce } from '@assurance/policies/lookups/policy-rules';
import { Module } from '@nestjs/common';
import { ListAllAllowedArtifactsHandler, ListAllowedArtifactsHandler } from './allowed';
import { AssertArtifactHandler } from './assert';
import { GetEnvironmentAuditLogHandler } from './environment-audit-log';
import { CompareEnvironmentsHandler, DiffEnvironmentsHandler } from './compare';
import { ListEnvironmentEventsHandler } from './environment-events';
import { GetEnvironmentHandler, GetSnapshotHandler, ListSnapshotsHandler } from './environments';
import { EnvironmentQueriesController } from './environments.controller';
import { JudgingQueriesController } from './judging.controller';

/** Environments, their snapshots and events, and what may run in them. */
@Module({
  imports: [ViewsModule],
  controllers: [EnvironmentQueriesController, JudgingQueriesController],
  providers: [
    GetEnvironmentHandler,
    ListSnapshotsHandler,
    GetSnapshotHandler,
    ListEnvironmentEventsHandler,
    DiffEnvironmentsHandler,
    CompareEnvironmentsHandler,
    GetEnvironmentAuditLogHandler,
    ListAllowedArtifactsHandler,
    ListAllAllowedArtifactsHandler,
    AssertArtifactHandler,
    { provide: Evaluator, useFactory: () => new Evaluator() },
    {
      provide: PoliciesInForce,
      inject: [PORTS, CLOCK],
      useFactory: (ports: Ports, clock: Clock) => new PoliciesInForce(ports.documents, clock),
    },
    {
      provide: Bills,
      inject: [PORTS, Evaluator, KNOWN_VULNERABILITIES, CLOCK],
      useFactory: (ports: Ports, evaluator: Evaluator, vulnerabilities: KnownVulnerabilities, clock: Clock) =>
        new Bills(ports, evaluator, vulnerabilities, clock),
    },
  ],
  exports: [Evaluator, PoliciesInForce, Bills],
})
export class EnvironmentQueriesModule {}
