import {
  allowed,
  type AllowedDocument,
  allowedId,
  type Environment,
} from '@assurance/contracts/environments/documents';
import { streams } from '@assurance/contracts/events/streams';
import type { Verdict } from '@assurance/contracts/policies/events';
import { Evaluator, type ToJudge } from '@assurance/evaluator';
import { CLOCK, type Clock, PORTS, type Ports } from '@assurance/event-sourcing/tokens';
import { type ProvenanceDocument, provenanceId, provenances, reportId } from '@assurance/flows/domain/provenance';
import { type Evidence, evidenceOf, judgeable } from '@assurance/flows/lookups/evidence';
import type { Bill } from '@assurance/policies/domain/bill';
import { attachProblem } from '@assurance/policies/domain/cost';
import type { JudgedArtifact } from '@assurance/policies/domain/judge';
import { Bills } from '@assurance/policies/lookups/bills';
import { KNOWN_VULNERABILITIES, type KnownVulnerabilities } from '@assurance/policies/lookups/known-vulnerabilities';
import { PoliciesInForce } from '@assurance/policies/lookups/policy-rules';
import { addTo, mapInSlices, Slices } from '@assurance/kernel';
import { type Documents, getAll } from '@assurance/storage-ports';
import { Inject, Injectable } from '@nestjs/common';
import { allowanceOf, isInForce } from '../../domain/allow-list';
import type { EnvironmentStandards, PreviousArtifact, ReportFacts } from '../../domain/facts';
import { keyText } from '../../domain/runs';
import type { StandardsInForce } from './standards-in-force';
import { VerdictCache, type VerdictInput } from './verdict-cache';

/** Reads the facts for judging artifacts and caches the verdicts. One instance for each role. */
@Injectable()
export class Judgement {
  private readonly documents: Documents;
  private readonly policies: PoliciesInForce;
  private readonly bills: Bills;
  private readonly verdicts = new VerdictCache();

  constructor(
    @Inject(PORTS) { documents, events }: Ports,
    private readonly evaluator: Evaluator,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(KNOWN_VULNERABILITIES) vulnerabilities: KnownVulnerabilities,
  ) {
    this.documents = documents;
    this.policies = new PoliciesInForce(documents, clock);
    this.bills = new Bills({ documents, events }, evaluator, vulnerabilities, clock);
  }

  /** Null if no policy applies; then nothing is read. */
  async standardsOf({
    policies,
    requireProvenance,
  }: Pick<Environment, 'policies' | 'requireProvenance'>): Promise<StandardsInForce | null> {
    if (policies.length === 0 && !requireProvenance) return null;
    return { policies: await this.policies.of(policies), requireProvenance };
  }

  /**
   * The current standards of an environment, with verdicts on artifacts. Read the standards before the environment's own stream, and call this after
   * it (write first, look second). The recorded seqs of other streams then reflect no more than the verdicts do. Threads judge the artifacts, within
   * the budget of one judgement.
   *
   * @param artifacts every artifact that needs a verdict
   * @param reports the provenance of these artifacts, the first report of each first
   * @throws OrganizationBusy, Busy when too much waits to be judged
   */
  async of(
    { id: environment, org }: Pick<Environment, 'id' | 'org'>,
    standards: StandardsInForce,
    artifacts: readonly JudgedArtifact[],
    reports: readonly ProvenanceDocument[],
  ): Promise<EnvironmentStandards> {
    const evidence = new Map<string, Evidence[]>();
    const heads: Record<string, number> = {};
    for (const { id, seq } of standards.policies) heads[streams.policy(id)] = seq;
    for (const { report, evidence: provenance } of await evidenceOf(this.documents, reports)) {
      addTo(evidence, report.fingerprint, provenance);
      heads[streams.flow(provenance.flow.id)] = provenance.flow.seq;
      if (provenance.seq > 0) heads[provenance.stream] = provenance.seq;
    }
    const fingerprints = new Set(artifacts.map(({ fingerprint }) => fingerprint));
    const entries = await allowedIn(this.documents, environment, fingerprints, this.clock.now());
    const verdicts = await this.verdictsOf(
      org,
      standards,
      artifacts.map(({ fingerprint, name }) => ({
        artifact: { fingerprint, name },
        evidence: evidence.get(fingerprint) ?? [],
        allowed: entries.has(fingerprint),
      })),
    );
    return {
      policies: standards.policies.map(({ id, name, version }) => ({ id, name, version })),
      requireProvenance: standards.requireProvenance,
      heads,
      verdictOf: (artifact) => {
        const verdict = verdicts.get(keyText(artifact));
        if (verdict === undefined) throw new Error(`artifact ${artifact.fingerprint} was not asked to be judged`);
        const entry = entries.get(artifact.fingerprint);
        return entry === undefined ? verdict : { ...verdict, allowance: allowanceOf(entry) };
      },
    };
  }

  /**
   * Why policies are more than an environment may be judged by; null when they are not.
   *
   * @param ids of all the policies that it is to have
   * @param names of all that runs there
   * @throws OrganizationBusy, Busy
   */
  async attachProblem(org: string, ids: readonly string[], names: readonly string[]): Promise<string | null> {
    const costs = await this.evaluator.costsOf(org, await this.policies.of(ids));
    return 'kind' in costs ? 'Reading the rules takes more time than it may' : attachProblem(costs, names);
  }

  /** By cache key: cached verdicts, and those that are computed now. */
  private async verdictsOf(
    org: string,
    standards: StandardsInForce,
    inputs: readonly VerdictInput[],
  ): Promise<ReadonlyMap<string, Verdict>> {
    const verdicts = new Map<string, Verdict>();
    const cachedVerdicts = this.verdicts.forStandards(standards, await this.bills.revision(org, standards.policies));
    const missingInputs: VerdictInput[] = [];
    const slices = new Slices();
    await mapInSlices(
      inputs,
      (input) => {
        const verdict = cachedVerdicts.get(input);
        if (verdict === undefined) missingInputs.push(input);
        else verdicts.set(keyText(input.artifact), verdict);
      },
      slices,
    );
    if (missingInputs.length === 0) return verdicts;
    const bills = await this.bills.of(
      org,
      standards.policies,
      missingInputs.map(({ artifact: { fingerprint }, evidence }) => ({ fingerprint, evidence })),
    );
    const artifactsToJudge = await mapInSlices(missingInputs, (input, i) => sentOf(input, bills[i]), slices);
    const newVerdicts = await this.evaluator.judge(org, standards, artifactsToJudge);
    await mapInSlices(missingInputs, (input, i) => {
      const verdict = newVerdicts[i];
      if (verdict === undefined) throw new Error('an artifact was not judged');
      if (isLasting(bills[i])) cachedVerdicts.set(input, verdict);
      verdicts.set(keyText(input.artifact), verdict);
    });
    return verdicts;
  }

  /** The status of earlier artifacts in their flows. */
  async statesOf(previous: readonly PreviousArtifact[]): Promise<ReportFacts['stateOf']> {
    if (previous.length === 0) return () => null;
    const reports = await getAll(this.documents.collection(provenances), previous.map(reportId));
    const result = await evidenceOf(this.documents, [...reports.values()]);
    const states = new Map(
      result.map(({ report, evidence }) => [provenanceId(report.fingerprint, report.stream), evidence.artifactStatus]),
    );
    return (artifact) => states.get(reportId(artifact)) ?? null;
  }
}

/** Whether the same facts give the same bill later: the next judging reads what this one had to leave, and grace periods end. */
function isLasting(bill: Bill | undefined): boolean {
  if (bill?.sbom === 'not-read') return false;
  if (bill?.vulnerable === undefined) return true;
  const { knowledge, graceEnds } = bill.vulnerable;
  return graceEnds === null && (knowledge === 'known' || knowledge === 'no-database');
}

/** The part that is sent to a thread. */
function sentOf({ artifact, evidence, allowed: isAllowed }: VerdictInput, bill: Bill | undefined): ToJudge {
  return { artifact, evidence: evidence.map(judgeable), allowed: isAllowed, ...(bill === undefined ? {} : { bill }) };
}

/** The entries that are in force, by fingerprint. */
async function allowedIn(
  documents: Documents,
  environment: string,
  fingerprints: Iterable<string>,
  at: number,
): Promise<ReadonlyMap<string, AllowedDocument>> {
  const ids = [...fingerprints]
    .filter((fingerprint) => fingerprint !== '')
    .map((fingerprint) => allowedId(environment, fingerprint));
  const results = await getAll(documents.collection(allowed), ids);
  const inForce = [...results.values()].filter((entry) => isInForce(entry, at));
  return new Map(inForce.map((entry) => [entry.fingerprint, entry]));
}
