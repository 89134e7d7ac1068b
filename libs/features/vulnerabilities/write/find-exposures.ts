import { environmentStates, running, type Environment } from '@assurance/contracts/environments/documents';
import { streams, SYSTEM } from '@assurance/contracts/events/streams';
import { placesOf } from '@assurance/environments/domain/members';
import { stateOf } from '@assurance/environments/domain/environment';
import { Evaluator } from '@assurance/evaluator';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { CLOCK, type Clock } from '@assurance/event-sourcing/tokens';
import { readEvidence } from '@assurance/flows/lookups/evidence';
import { pieces, Slices } from '@assurance/kernel';
import { exceedingOf } from '@assurance/policies/domain/vulnerable';
import { Bills } from '@assurance/policies/lookups/bills';
import { KNOWN_VULNERABILITIES, type KnownVulnerabilities } from '@assurance/policies/lookups/known-vulnerabilities';
import { PoliciesInForce } from '@assurance/policies/lookups/policy-rules';
import { findPages } from '@assurance/storage-ports';
import { Inject, Injectable } from '@nestjs/common';
import { decideFindVulnerabilities, exposure, type NamedFinding } from '../domain/exposure';
import type { ExposureWork } from './exposure-work';
import { noteGraceEnd } from './grace-ends';

const PAGE = 1_000;
/** How many artifacts are searched together. */
const TOGETHER = 100;

/** The result of a search in an environment. */
interface ExposureSearchResult {
  /** Whether a policy has a rule about vulnerabilities. If so, the environment is judged by the findings. */
  readonly isJudged: boolean;
  /** Whether all artifacts were compared. If not, the search is repeated later. */
  readonly isComplete: boolean;
}

/** Finds the vulnerabilities of the running artifacts of an environment, and records those that are new there. */
@Injectable()
export class FindExposures {
  private readonly bills: Bills;
  private readonly policies: PoliciesInForce;

  constructor(
    private readonly streams: Streams,
    evaluator: Evaluator,
    @Inject(KNOWN_VULNERABILITIES) private readonly vulnerabilities: KnownVulnerabilities,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.bills = new Bills(streams.engines, evaluator, vulnerabilities, clock);
    this.policies = new PoliciesInForce(streams.engines.documents, clock);
  }

  /** @throws Refused `lost-race` */
  async of(id: string, { org, fingerprints, correlation }: ExposureWork): Promise<ExposureSearchResult> {
    const { documents } = this.streams.engines;
    const environment = await documents.collection(environmentStates).get(streams.environment(id));
    if (environment === null || environment.archived) return { isJudged: false, isComplete: true };
    const rules = (await this.policies.of(environment.policies)).flatMap(
      (policy) => policy.rules.vulnerabilities ?? [],
    );
    const names = await this.runningIn(environment, fingerprints);
    const findings = new Map<string, NamedFinding>();
    const at = this.clock.now();
    const ends: number[] = [];
    const slices = new Slices();
    let isComplete = true;
    for (const group of pieces([...names.keys()], TOGETHER)) {
      const evidence = await readEvidence(documents, org, group);
      const listedSboms = await this.bills.readListed(
        group.map((fingerprint) => ({ fingerprint, evidence: evidence.get(fingerprint) ?? [] })),
      );
      for (const [i, { knowledge, vulnerabilities }] of (await this.vulnerabilities.of(org, listedSboms)).entries()) {
        await slices.pause();
        if (knowledge === 'not-compared') isComplete = false;
        const artifact = names.get(group[i] ?? '') ?? '';
        for (const { id: name, aliases, severity, purl, certain } of vulnerabilities) {
          if (!findings.has(name)) findings.set(name, { id: name, aliases, severity, purl, certain, artifact });
        }
        for (const rule of rules) ends.push(exceedingOf(rule, vulnerabilities, at).graceEnds ?? Infinity);
      }
    }
    const end = ends.reduce((least, one) => Math.min(least, one), Infinity);
    if (end < Infinity) await noteGraceEnd(documents, { org, environment: id, due: end }, at);
    await this.record(environment, [...findings.values()], { org, actor: SYSTEM, correlation });
    return { isJudged: rules.length > 0, isComplete };
  }

  /** Returns the names of running artifacts by fingerprint. Artifacts without a digest are left out. */
  private async runningIn(
    environment: Environment,
    fingerprints: ExposureWork['fingerprints'],
  ): Promise<ReadonlyMap<string, string>> {
    const selectedFingerprints = fingerprints === null ? null : new Set(fingerprints);
    const names = new Map<string, string>();
    for (const place of placesOf(environment)) {
      const where = { environment: place };
      for await (const page of findPages(this.streams.engines.documents.collection(running), { where }, PAGE)) {
        for (const { doc } of page) {
          if (doc.fingerprint !== '' && selectedFingerprints?.has(doc.fingerprint) !== false)
            names.set(doc.fingerprint, doc.name);
        }
      }
    }
    return names;
  }

  private async record(
    environment: Environment,
    findings: readonly NamedFinding[],
    by: { readonly org: string; readonly actor: string; readonly correlation: string },
  ): Promise<void> {
    const { id, name, snapshot } = environment;
    const now = { name, snapshot, compliant: stateOf(environment) };
    for (let isLeft = findings.length > 0; isLeft;) {
      const outcome = await this.streams.run(exposure, streams.exposure(id), by, (loaded) =>
        decideFindVulnerabilities(loaded.state, now, findings),
      );
      isLeft = outcome.kind === 'committed';
    }
  }
}
