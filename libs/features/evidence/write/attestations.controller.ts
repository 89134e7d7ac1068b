import { routes } from '@assurance/contracts/http/routes/routes';
import { type CallOf, RefusalError, RequestCall, Route } from '@assurance/http';
import { CommandsController } from '@assurance/http/commands';
import { errorsBelow } from '@assurance/http/errors-below';
import { fromJsonText } from '@assurance/http/json-text';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { compliantBy } from '../domain/attestation-rules';
import { Attest } from './attest';
import { attestationOf, type AttestCall, type TypedAttestation } from './attestation-of';
import { CustomTypes } from './custom-types';
import { Scans } from './scans';

@Controller()
export class AttestationsController extends CommandsController {
  constructor(
    commands: CommandBus,
    private readonly customTypes: CustomTypes,
    private readonly scans: Scans,
  ) {
    super(commands);
  }

  @Route(routes.attestGeneric)
  generic(@RequestCall() call: CallOf<typeof routes.attestGeneric>) {
    const { user_data } = call.body;
    return this.attestScan(
      call,
      { type: 'generic', compliant: compliantBy.generic(call.body), payload: {} },
      user_data,
    );
  }

  @Route(routes.attestJunit)
  junit(@RequestCall() call: CallOf<typeof routes.attestJunit>) {
    const { junit_results } = call.body;
    return this.attest(call, { type: 'junit', compliant: compliantBy.junit(call.body), payload: { junit_results } });
  }

  @Route(routes.attestJira)
  jira(@RequestCall() call: CallOf<typeof routes.attestJira>) {
    const { jira_results = [] } = call.body;
    return this.attest(call, { type: 'jira', compliant: compliantBy.jira(call.body), payload: { jira_results } });
  }

  @Route(routes.attestSnyk)
  snyk(@RequestCall() call: CallOf<typeof routes.attestSnyk>) {
    const { snyk_results } = call.body;
    const typed = { type: 'snyk', compliant: compliantBy.snyk(call.body), payload: { snyk_results } };
    return this.attestScan(call, typed, snyk_results);
  }

  @Route(routes.attestSonar)
  sonar(@RequestCall() call: CallOf<typeof routes.attestSonar>) {
    const { sonar_results } = call.body;
    return this.attest(call, { type: 'sonar', compliant: compliantBy.sonar(call.body), payload: { sonar_results } });
  }

  @Route(routes.attestPullRequest)
  pullRequest(@RequestCall() call: CallOf<typeof routes.attestPullRequest>) {
    const { git_provider = null, pull_requests = [] } = call.body;
    const payload = { git_provider, pull_requests };
    return this.attest(call, { type: 'pull_request', compliant: compliantBy.pull_request(call.body), payload });
  }

  @Route(routes.attestCustom)
  async custom(@RequestCall() call: CallOf<typeof routes.attestCustom>) {
    const { type_name, attestation_data: sent = null } = call.body;
    const attestation_data = fromJsonText(sent, 'attestation_data');
    const verdict = await this.customTypes.judge(call.org.id, type_name, attestation_data);
    switch (verdict.kind) {
      case 'unknown':
        throw new RefusalError({ kind: 'attestation-type-unknown', name: type_name, org: call.org.name });
      case 'invalid':
        throw new RefusalError({ kind: 'invalid', errors: errorsBelow('attestation_data', verdict.errors) });
      case 'judged': {
        const { compliant, version } = verdict;
        const payload = { type_name, attestation_data };
        const typed = { type: `custom:${type_name}`, compliant, typeVersion: version, payload };
        return this.attestScan(call, typed, attestation_data, call.body.user_data);
      }
    }
  }

  @Route(routes.overrideAttestation)
  override(@RequestCall() call: CallOf<typeof routes.overrideAttestation>) {
    const { reason, new_compliance_status, original_attestation_type } = call.body;
    if (reason.trim() === '') throw new RefusalError({ kind: 'invalid', errors: { reason: 'Input should say why' } });
    return this.attest(call, {
      type: 'override',
      compliant: compliantBy.override(call.body),
      original: original_attestation_type,
      payload: { reason, new_compliance_status, original_attestation_type },
    });
  }

  /** @param values values that may be scanner reports; attached files may be reports too */
  private async attestScan(call: AttestCall, typed: TypedAttestation, ...values: readonly unknown[]) {
    const attest = attestationOf(call, typed);
    const { caller, flow, trail, input, repo } = attest;
    // An attestation of a trail is not about an artifact, so its values are not read as scanner reports.
    const scans = input.target.kind === 'trail' ? null : await this.scans.read(call, values);
    if (scans === null) return this.ok(attest, 201);
    const payload = { ...input.payload, scan_reports: scans.reports };
    return this.ok(new Attest(caller, flow, trail, { ...input, payload, findings: scans.findings }, repo), 201);
  }

  private attest(call: AttestCall, typed: TypedAttestation) {
    return this.ok(attestationOf(call, typed), 201);
  }
}
