import { streams } from '@assurance/contracts-events';
import type { Judging, Previous, ReportFacts } from '@assurance/ingestion-domain';
import { allowed, allowedId, type Environment } from '@assurance/model-environment';
import { provenanceId, type ProvenanceDocument, provenances } from '@assurance/model-flow';
import { judge } from '@assurance/model-policy';
import { type Evidence, evidenceOf } from '@assurance/readers-evidence';
import { PoliciesInForce, type PolicyInForce } from '@assurance/readers-policies';
import { type Documents, getAll } from '@assurance/storage-ports';
import { VerdictCache } from './verdict-cache';

/** By what an environment is judged now: its attached policies in their newest versions. */
export interface StandardsInForce {
  readonly policies: readonly PolicyInForce[];
  readonly requireProvenance: boolean;
}

/** Reads what artifacts of environments are judged by; remembers the verdicts that follow. One an instance of the role. */
export class Judgement {
  private readonly policies: PoliciesInForce;
  private readonly verdicts = new VerdictCache();

  constructor(private readonly documents: Documents) {
    this.policies = new PoliciesInForce(documents);
  }

  /** Null where nothing judges: then nothing is read either. */
  async standardsOf({
    policies,
    requireProvenance,
  }: Pick<Environment, 'policies' | 'requireProvenance'>): Promise<StandardsInForce | null> {
    if (policies.length === 0 && !requireProvenance) return null;
    return { policies: await this.policies.of(policies), requireProvenance };
  }

  /**
   * What verdicts on artifacts of an environment need. Read it after the environment's own stream, and the standards before it (write first,
   * look second): what is recorded of heads then reflects no more than what is judged by.
   *
   * @param reports what is known of the artifacts, first report of each first
   */
  async of(
    environment: string,
    standards: StandardsInForce,
    fingerprints: Iterable<string>,
    reports: readonly ProvenanceDocument[],
  ): Promise<Judging> {
    const evidence = new Map<string, Evidence[]>();
    const heads: Record<string, number> = {};
    for (const { id, seq } of standards.policies) heads[streams.policy(id)] = seq;
    for (const { report, known } of await evidenceOf(this.documents, reports)) {
      const all = evidence.get(report.fingerprint);
      if (all === undefined) evidence.set(report.fingerprint, [known]);
      else all.push(known);
      heads[streams.flow(known.flow.id)] = known.flow.seq;
      if (known.seq > 0) heads[known.stream] = known.seq;
    }
    const entries = await allowedIn(this.documents, environment, fingerprints);
    return {
      policies: standards.policies.map(({ id, name, version }) => ({ id, name, version })),
      requireProvenance: standards.requireProvenance,
      heads,
      verdictOf: (artifact) => {
        const known = evidence.get(artifact.fingerprint) ?? [];
        const isAllowed = entries.has(artifact.fingerprint);
        return this.verdicts.of(standards, artifact, known, isAllowed, () =>
          judge(standards, artifact, known, isAllowed),
        );
      },
    };
  }

  /** What artifacts that ran before come to in their flows. */
  async statesOf(previous: readonly Previous[]): Promise<ReportFacts['stateOf']> {
    if (previous.length === 0) return () => null;
    const reports = await getAll(this.documents.collection(provenances), previous.map(reportOf));
    const found = await evidenceOf(this.documents, [...reports.values()]);
    const states = new Map(
      found.map(({ report, known }) => [provenanceId(report.fingerprint, report.stream), known.artifactStatus]),
    );
    return (one) => states.get(reportOf(one)) ?? null;
  }
}

/** The id of the report by which something ran. */
function reportOf({ flow, trail, fingerprint }: Previous): string {
  const stream = trail === null ? streams.artifact(flow, fingerprint) : streams.trail(flow, trail);
  return provenanceId(fingerprint, stream);
}

async function allowedIn(
  documents: Documents,
  environment: string,
  fingerprints: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const ids = [...fingerprints].filter((one) => one !== '').map((one) => allowedId(environment, one));
  const found = await getAll(documents.collection(allowed), ids);
  return new Set([...found.values()].map(({ fingerprint }) => fingerprint));
}
