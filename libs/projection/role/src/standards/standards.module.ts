import { Evaluator } from '@assurance/evaluator';
import { PORTS, type Ports } from '@assurance/http';
import { PoliciesInForce } from '@assurance/readers';
import { Module } from '@nestjs/common';
import { ViewsModule } from '../views/views.module';
import { AssertArtifactHandler } from './assert';
import { GetAttestationTypeHandler, ListAttestationTypesHandler } from './attestation-types';
import { StandardQueriesController } from './standards.controller';
import { GetControlCoverageHandler, GetControlHandler, ListControlsHandler } from './controls';
import { GetPolicyHandler, ListAllowedHandler, ListPoliciesHandler } from './policies';

/** Policies, controls and attestation types. */
@Module({
  imports: [ViewsModule],
  controllers: [StandardQueriesController],
  providers: [
    ListPoliciesHandler,
    GetPolicyHandler,
    ListAllowedHandler,
    AssertArtifactHandler,
    ListControlsHandler,
    GetControlHandler,
    GetControlCoverageHandler,
    ListAttestationTypesHandler,
    GetAttestationTypeHandler,
    { provide: Evaluator, useFactory: () => new Evaluator() },
    { provide: PoliciesInForce, inject: [PORTS], useFactory: (ports: Ports) => new PoliciesInForce(ports.documents) },
  ],
})
export class StandardQueriesModule {}
