import { routes } from '@assurance/contracts-http';
import { answer, type CallOf, Route, TheCall } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { callerOf } from '../caller';
import { pageAsked, QueriesController } from '../queries';
import { AssertArtifact } from './assert';
import { GetPolicy, ListAllowed, ListPolicies } from './policies';
import { GetControl, GetControlCoverage, ListControls } from './controls';
import { GetAttestationType, ListAttestationTypes } from './attestation-types';

/** Policies, controls and attestation types. */
@Controller()
export class StandardQueriesController extends QueriesController {
  @Route(routes.listPolicies)
  async policies(@TheCall() call: CallOf<typeof routes.listPolicies>) {
    return this.listed(new ListPolicies({ caller: callerOf(call) }));
  }

  @Route(routes.getPolicy)
  async policy(@TheCall() call: CallOf<typeof routes.getPolicy>) {
    return this.found(new GetPolicy({ caller: callerOf(call), name: call.params.policy }));
  }

  @Route(routes.listAllowed)
  async allowed(@TheCall() call: CallOf<typeof routes.listAllowed>) {
    const { page, ends } = await this.ask(
      new ListAllowed({ caller: callerOf(call), environment: call.params.env, page: pageAsked(call.query) }),
    );
    return answer(200, page, this.linkHeader(routes.listAllowed, call, ends));
  }

  @Route(routes.assertArtifact)
  async assert(@TheCall() call: CallOf<typeof routes.assertArtifact>) {
    const { flow_name: flow, environment_name: environment, policy_name: policies } = call.query;
    return this.found(
      new AssertArtifact({
        caller: callerOf(call),
        fingerprint: call.params.fingerprint,
        by: { flow, environment, policies },
      }),
    );
  }

  @Route(routes.listControls)
  async controls(@TheCall() call: CallOf<typeof routes.listControls>) {
    const { search, tag, archived, sort_direction } = call.query;
    const filter = { search, tags: tag, archived };
    const page = pageAsked(call.query);
    const query = new ListControls({ caller: callerOf(call), filter, page, direction: sort_direction });
    return this.linked(routes.listControls, call, query);
  }

  @Route(routes.getControl)
  async control(@TheCall() call: CallOf<typeof routes.getControl>) {
    return this.found(new GetControl({ caller: callerOf(call), identifier: call.params.control }));
  }

  @Route(routes.getControlCoverage)
  async coverage(@TheCall() call: CallOf<typeof routes.getControlCoverage>) {
    const { covered, name } = call.query;
    const filter = { name, covered: covered === 'all' ? null : covered === 'true' };
    return this.found(
      new GetControlCoverage({
        caller: callerOf(call),
        identifier: call.params.control,
        filter,
        page: pageAsked(call.query),
      }),
    );
  }

  @Route(routes.listAttestationTypes)
  async attestationTypes(@TheCall() call: CallOf<typeof routes.listAttestationTypes>) {
    return this.listed(new ListAttestationTypes({ caller: callerOf(call) }));
  }

  @Route(routes.getAttestationType)
  async attestationType(@TheCall() call: CallOf<typeof routes.getAttestationType>) {
    return this.found(
      new GetAttestationType({ caller: callerOf(call), name: call.params.name, version: call.query.version }),
    );
  }
}
