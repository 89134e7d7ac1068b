import { actorsOf } from '@assurance/access/lookups/actors';
import { allowed, type AllowedDocument, allowedId } from '@assurance/contracts/environments/documents';
import type { ComplianceStatusAnswer } from '@assurance/contracts/flows/answers/trail';
import { links, type Site } from '@assurance/contracts/http/links';
import type { AssertAnswer, AssertedStatusAnswer } from '@assurance/contracts/policies/answers/decision';
import type { Verdict } from '@assurance/contracts/policies/events';
import { Evaluator } from '@assurance/evaluator';
import { trail as trails } from '@assurance/flows/domain/trail';
import { type Evidence, judgeable, readEvidence } from '@assurance/flows/lookups/evidence';
import { findFlow } from '@assurance/flows/lookups/flows';
import { statusesOf } from '@assurance/flows/lookups/statuses';
import { statusAnswer } from '@assurance/flows/read/trails/status';
import type { Refusal } from '@assurance/http';
import { queryBy, ReadingHandler } from '@assurance/http/queries';
import { type Caller, siteOf } from '@assurance/http/query-caller';
import { err, ok, type Result } from '@assurance/kernel';
import type { JudgedArtifact } from '@assurance/policies/domain/judge';
import { findPolicy } from '@assurance/policies/lookups/policies';
import { Bills } from '@assurance/policies/lookups/bills';
import { PoliciesInForce, type PolicyInForce } from '@assurance/policies/lookups/policy-rules';
import { decisionsAnswer, versionsOf } from '@assurance/policies/read/policies/decisions';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { allowanceOf, isInForce } from '../domain/allow-list';
import { environmentActivity } from '../domain/reports';
import { lateSince } from '../domain/silence';
import { findEnvironment } from '../lookups/environments';
import { listingAnswer } from './allow-listing';
import { lastReportedAt, secondsOf } from './environments/answer';

/** The subject of an assert. A flow narrows the evidence. */
export interface AssertBy {
  readonly flow?: string;
  readonly environment?: string;
  readonly policies: readonly string[];
}

/** Whether an artifact is compliant, from committed states and inline projections, never from a view. */
export class AssertArtifact extends queryBy<{ fingerprint: string; by: AssertBy }, Result<AssertAnswer, Refusal>>() {}

type EnvironmentSighting = Pick<
  AssertAnswer,
  'environment' | 'environment_last_reported_at' | 'environment_late_since'
>;

/** The standards for an artifact; `standards` is null if only its flows count. */
interface ApplicableStandards extends Pick<AssertAnswer, 'scope'> {
  /** The requested environment, and when it was last seen. */
  readonly sighting?: Required<EnvironmentSighting>;
  readonly standards: { readonly policies: readonly PolicyInForce[]; readonly requireProvenance: boolean } | null;
  /** The entry of the environment's allow-list, if it is in force by the clock. */
  readonly entry: AllowedDocument | null;
}

/** Its flows always judge an artifact; an environment only if something is required there. */
function isJudging({ standards }: ApplicableStandards): boolean {
  return standards === null || standards.policies.length > 0 || standards.requireProvenance;
}

@QueryHandler(AssertArtifact)
export class AssertArtifactHandler extends ReadingHandler implements IQueryHandler<AssertArtifact> {
  constructor(
    private readonly policies: PoliciesInForce,
    private readonly bills: Bills,
    private readonly evaluator: Evaluator,
  ) {
    super();
  }

  async execute({ caller, fingerprint, by }: AssertArtifact): Promise<Result<AssertAnswer, Refusal>> {
    const { org } = caller;
    const flow = by.flow === undefined ? null : await findFlow(this.ports, org, by.flow);
    if (flow?.ok === false) return flow;
    const evidenceTarget = await this.targetOf(caller, fingerprint, by);
    if (!evidenceTarget.ok) return evidenceTarget;
    const all = (await readEvidence(this.ports.documents, org.id, [fingerprint])).get(fingerprint) ?? [];
    const evidence = flow === null ? all : all.filter((evidence) => evidence.flow.id === flow.value.id);
    const [first] = evidence;
    const { entry, scope, sighting } = evidenceTarget.value;
    // An artifact on the allow-list of an environment is judged there without provenance.
    if (first === undefined && (entry === null || flow !== null)) {
      return by.flow === undefined
        ? err({ kind: 'fingerprint-unknown', fingerprint })
        : err({ kind: 'artifact-unknown', fingerprint, org: org.name, flow: by.flow });
    }
    const artifact = { fingerprint, name: first?.first.filename ?? entry?.name ?? '' };
    const verdict = await this.verdictOn(artifact, evidence, org.id, evidenceTarget.value);
    const site = siteOf(this.settings, caller);
    const flows = await this.flows(site, evidence, fingerprint);
    return ok({
      fingerprint,
      flow: flows[0]?.flow ?? '',
      trail: flows[0]?.trail ?? '',
      compliance_status: flows[0]?.compliance_status ?? null,
      compliant: verdict?.compliant ?? evidence.every(({ artifactStatus }) => artifactStatus === 'COMPLIANT'),
      is_judged: isJudging(evidenceTarget.value),
      scope,
      ...sighting,
      policy_evaluations: verdict === null ? [] : await this.evaluations(verdict),
      allow_listing: entry === null ? null : await this.allowListing(entry),
      flows,
      html_url:
        first === undefined
          ? links.environmentPage(site, sighting?.environment ?? '')
          : links.artifactPage(site, first.flow.name, fingerprint, first.first.artifactId),
    });
  }

  private async targetOf(
    { org }: Caller,
    fingerprint: string,
    { environment, policies }: AssertBy,
  ): Promise<Result<ApplicableStandards, Refusal>> {
    const { documents } = this.ports;
    if (environment !== undefined) {
      if (policies.length > 0)
        return err({ kind: 'invalid', errors: { policy_name: 'Not together with environment_name' } });
      const result = await findEnvironment(this.ports, org, environment);
      if (!result.ok) return result;
      const { id, name, policies: attached, requireProvenance } = result.value;
      const standards = { policies: await this.policies.of(attached), requireProvenance };
      const allowedDocument = await documents.collection(allowed).get(allowedId(id, fingerprint));
      const entry = allowedDocument !== null && isInForce(allowedDocument, this.clock.now()) ? allowedDocument : null;
      const activity = await documents.collection(environmentActivity).get(id);
      const sighting = {
        environment: name,
        environment_last_reported_at: lastReportedAt(result.value, activity),
        environment_late_since: secondsOf(lateSince(result.value, activity)),
      };
      return ok({ scope: 'environment', sighting, standards, entry });
    }
    if (policies.length === 0) return ok({ scope: 'flow', standards: null, entry: null });
    const ids: string[] = [];
    for (const name of new Set(policies)) {
      const result = await findPolicy(this.ports, org, name);
      if (!result.ok) return result;
      ids.push(result.value.id);
    }
    const standards = { policies: await this.policies.of(ids), requireProvenance: false };
    return ok({ scope: 'policy', standards, entry: null });
  }

  /** Null if only its flows count. */
  private async verdictOn(
    artifact: JudgedArtifact,
    evidence: readonly Evidence[],
    org: string,
    { standards, entry }: ApplicableStandards,
  ): Promise<Verdict | null> {
    if (standards === null) return null;
    const [bill] = await this.bills.of(org, standards.policies, [{ fingerprint: artifact.fingerprint, evidence }]);
    const input = {
      artifact,
      evidence: evidence.map(judgeable),
      allowed: entry !== null,
      ...(bill === undefined ? {} : { bill }),
    };
    const [verdict] = await this.evaluator.judge(org, standards, [input]);
    if (verdict === undefined) throw new Error('an artifact was not judged');
    return verdict;
  }

  private async evaluations(verdict: Verdict): Promise<AssertAnswer['policy_evaluations']> {
    return decisionsAnswer(verdict, await versionsOf(this.ports.documents, verdict.policies));
  }

  private async allowListing(entry: AllowedDocument): Promise<AssertAnswer['allow_listing']> {
    return listingAnswer(entry.fingerprint, allowanceOf(entry), await actorsOf(this.ports.documents)(entry.by));
  }

  private async flows(site: Site, evidence: readonly Evidence[], fingerprint: string): Promise<AssertAnswer['flows']> {
    const { documents } = this.ports;
    const inTrails = evidence.filter(({ first }) => first.trail !== null).map(({ stream }) => stream);
    const states = await documents.collection(trails.states).getMany(inTrails);
    const statusOf = await statusesOf(documents, [...states.values()]);
    return evidence.map(({ flow, first, stream, artifactStatus }) => {
      const state = states.get(stream);
      return {
        flow: flow.name,
        trail: first.trail,
        compliant: artifactStatus === 'COMPLIANT',
        compliance_status: state === undefined ? null : withArtifact(statusAnswer(statusOf(state), state), fingerprint),
        html_url: links.artifactPage(site, flow.name, fingerprint, first.artifactId),
      };
    });
  }
}

/** The status of a trail with what was attested of one artifact after what was attested of the trail: clients tell what fails by that list. */
function withArtifact(status: ComplianceStatusAnswer, fingerprint: string): AssertedStatusAnswer {
  const own = Object.values(status.artifacts_statuses).filter(
    ({ artifact_fingerprint }) => artifact_fingerprint === fingerprint,
  );
  const attested = own.flatMap(({ attestations_statuses }) => attestations_statuses);
  return {
    ...status,
    attestations_statuses: [...status.attestations_statuses, ...attested],
    unexpected: own.some(({ unexpected }) => unexpected),
  };
}
