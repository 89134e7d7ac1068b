import { type AttestationInput, PATTERNS, routes } from '@assurance/contracts-http';
import { type Call, type CallOf, RefusalError, Route, TheCall } from '@assurance/http';
import { type Attest as Attested, compliantBy, givenRepo } from '@assurance/ingestion-domain';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CommandsController } from '../commands';
import { CustomTypes } from './custom-types';
import { type Common, commonOf } from './said';
import { callerOf } from '../core/caller';
import { Controls } from '../standards/controls';
import { errorsBelow } from '../core/errors-below';
import { Attest } from './attest';

/** The fields of an attestation that depend on its type. */
type Typed = Pick<Attested, 'type' | 'compliant' | 'payload'> &
  Partial<Pick<Attested, 'original' | 'typeVersion' | 'control'>>;
type AttestCall = Call<AttestationInput, unknown, { readonly flow: string; readonly trail: string }>;

@Controller()
export class AttestationsController extends CommandsController {
  constructor(
    commands: CommandBus,
    private readonly customTypes: CustomTypes,
    private readonly controls: Controls,
  ) {
    super(commands);
  }

  @Route(routes.attestGeneric)
  generic(@TheCall() call: CallOf<typeof routes.attestGeneric>) {
    return this.attest(call, { type: 'generic', compliant: compliantBy.generic(call.body), payload: {} });
  }

  @Route(routes.attestJunit)
  junit(@TheCall() call: CallOf<typeof routes.attestJunit>) {
    const { junit_results } = call.body;
    return this.attest(call, { type: 'junit', compliant: compliantBy.junit(call.body), payload: { junit_results } });
  }

  @Route(routes.attestJira)
  jira(@TheCall() call: CallOf<typeof routes.attestJira>) {
    const { jira_results = [] } = call.body;
    return this.attest(call, { type: 'jira', compliant: compliantBy.jira(call.body), payload: { jira_results } });
  }

  @Route(routes.attestSnyk)
  snyk(@TheCall() call: CallOf<typeof routes.attestSnyk>) {
    const { snyk_results } = call.body;
    return this.attest(call, { type: 'snyk', compliant: compliantBy.snyk(call.body), payload: { snyk_results } });
  }

  @Route(routes.attestSonar)
  sonar(@TheCall() call: CallOf<typeof routes.attestSonar>) {
    const { sonar_results } = call.body;
    return this.attest(call, { type: 'sonar', compliant: compliantBy.sonar(call.body), payload: { sonar_results } });
  }

  @Route(routes.attestPullRequest)
  pullRequest(@TheCall() call: CallOf<typeof routes.attestPullRequest>) {
    const { git_provider = null, pull_requests = [] } = call.body;
    const payload = { git_provider, pull_requests };
    return this.attest(call, { type: 'pull_request', compliant: compliantBy.pull_request(call.body), payload });
  }

  @Route(routes.attestCustom)
  async custom(@TheCall() call: CallOf<typeof routes.attestCustom>) {
    const { type_name, attestation_data = null } = call.body;
    const verdict = await this.customTypes.judge(call.org.id, type_name, attestation_data);
    switch (verdict.kind) {
      case 'unknown':
        throw new RefusalError({ kind: 'attestation-type-unknown', name: type_name, org: call.org.name });
      case 'invalid':
        throw new RefusalError({ kind: 'invalid', errors: errorsBelow('attestation_data', verdict.errors) });
      case 'judged': {
        const { compliant, version } = verdict;
        const payload = { type_name, attestation_data };
        return this.attest(call, { type: `custom:${type_name}`, compliant, typeVersion: version, payload });
      }
    }
  }

  @Route(routes.attestSystem)
  async system(@TheCall() call: CallOf<typeof routes.attestSystem>) {
    const { type_name, control, attestation_data } = call.body;
    const version = await this.controls.versionOf(call.org.id, control);
    return this.attest(call, {
      type: type_name,
      compliant: compliantBy.decision(call.body),
      control: { identifier: control, version },
      payload: { type_name, attestation_data },
    });
  }

  @Route(routes.overrideAttestation)
  override(@TheCall() call: CallOf<typeof routes.overrideAttestation>) {
    const { reason, new_compliance_status, original_attestation_type } = call.body;
    if (reason.trim() === '') throw new RefusalError({ kind: 'invalid', errors: { reason: 'Input should say why' } });
    return this.attest(call, {
      type: 'override',
      compliant: compliantBy.override(call.body),
      original: original_attestation_type,
      payload: { reason, new_compliance_status, original_attestation_type },
    });
  }

  private async attest(call: AttestCall, typed: Typed) {
    const { flow, trail } = call.params;
    const org = call.org.name;
    if (!PATTERNS.flow.matches(flow)) throw new RefusalError({ kind: 'flow-unknown', org, name: flow });
    if (!PATTERNS.trail.matches(trail)) throw new RefusalError({ kind: 'trail-unknown', org, flow, name: trail });
    const common: Common = commonOf(call.body, call.attachments);
    const input: Attested = { original: null, typeVersion: null, control: null, ...common, ...typed };
    const repo = givenRepo(call.body.repo_info ?? null, null);
    return this.ok(new Attest(callerOf(call), flow, trail, input, repo), 201);
  }
}
