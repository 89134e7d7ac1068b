import type { AttestationReported } from '@assurance/contracts/evidence/events';
import type { PolicyRules } from '@assurance/contracts/policies/events';
import type { Evaluator } from '@assurance/evaluator';
import type { Clock } from '@assurance/event-sourcing/tokens';
import { BrokenRecord, commitAt, eventsOf, storedText } from '@assurance/event-sourcing/sealing/read';
import { type AttestationDocument, attestations, TRAIL_SUBJECT } from '@assurance/flows/domain/attestation';
import type { Evidence } from '@assurance/flows/lookups/evidence';
import { BytesCache, mapInSlices, pieces, sha256, Slices } from '@assurance/kernel';
import { type Commit, type Engines, getAll } from '@assurance/storage-ports';
import { type Bill, type DeniedComponents, NO_BILL, type SbomState, mergeDenied } from '../domain/bill';
import { exceedingOf, type ExceedingVulnerabilities, type VulnerableBill } from '../domain/vulnerable';
import type { ArtifactVulnerabilities, KnownVulnerabilities, ListedArtifact } from './known-vulnerabilities';

/** The most parts of component lists that one judgement reads. Parts with a cached result do not count. */
const PARTS_MAX = 50_000;
/** How many parts one job of a thread has. */
const JOB_PARTS = 16;
/** How many bytes of results and of bills of materials are cached. The least recently used are dropped first. */
const RESULTS_BYTES = 32 * 1024 * 1024;
const SBOMS_BYTES = 8 * 1024 * 1024;
const LISTED = 'ComponentsListed';

/** The fields of a policy that bills of materials need. */
interface AskingPolicy {
  readonly id: string;
  readonly rules: PolicyRules;
}
/** An artifact with its evidence. */
interface ArtifactEvidence {
  readonly fingerprint: string;
  readonly evidence: readonly Pick<Evidence, 'attestations'>[];
}
type Place = Pick<AttestationDocument, 'org' | 'stream' | 'seq'>;

/** The bill of materials that one commit attests. */
interface RecordedSbom {
  readonly state: Exclude<SbomState, 'none' | 'not-read'>;
  /** Digests of the parts of its list of components. */
  readonly parts: readonly string[];
  /** How many components no database of vulnerabilities can be compared with. */
  readonly unmatched: number;
  /** Names by which VEX statements know what it describes. */
  readonly roots: readonly string[];
}

/** What all bills of materials of an artifact list. */
interface ListedSboms extends ListedArtifact, Pick<RecordedSbom, 'unmatched'> {
  readonly state: SbomState;
}

/** What each rule denies in a part, in the order of the rules. */
type DeniedByRule = readonly (readonly DeniedComponents[])[];

/** Reads the bills of materials of artifacts, as far as policies need them. One instance for each role. Cached values never change. */
export class Bills {
  private readonly sboms = new BytesCache<RecordedSbom>(SBOMS_BYTES);
  private readonly results = new BytesCache<DeniedByRule>(RESULTS_BYTES);

  constructor(
    private readonly engines: Pick<Engines, 'documents' | 'events'>,
    private readonly evaluator: Evaluator,
    private readonly vulnerabilities: KnownVulnerabilities,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /** Identifies the database entries and statements that the bills were made from; null if no policy needs them. */
  async revision(org: string, policies: readonly AskingPolicy[]): Promise<string | null> {
    const hasRule = policies.some(({ rules }) => rules.vulnerabilities !== undefined);
    return hasRule ? this.vulnerabilities.revision(org) : null;
  }

  /** The content of the bills of materials of each artifact, in the order of the artifacts. */
  async readListed(artifacts: readonly ArtifactEvidence[]): Promise<readonly ListedSboms[]> {
    const listed: ListedSboms[] = [];
    const slices = new Slices();
    for (const { fingerprint, evidence } of artifacts) {
      await slices.pause();
      const counted = await this.countedOf(evidence);
      const sboms: RecordedSbom[] = [];
      const places: Place[] = [];
      for (const place of counted.filter(({ type }) => type === 'sbom')) {
        const sbom = await this.sbomAt(place);
        sboms.push(sbom);
        if (sbom.parts.length > 0) places.push(place);
      }
      const state = sboms.some((sbom) => sbom.state === 'complete') ? 'complete' : (sboms[0]?.state ?? 'none');
      listed.push({
        state,
        fingerprint,
        unmatched: sboms.reduce((sum, { unmatched }) => sum + unmatched, 0),
        parts: [...new Set(sboms.flatMap(({ parts }) => parts))],
        places,
        scans: counted.filter(({ findings }) => findings),
        roots: sboms.flatMap(({ roots }) => roots),
      });
    }
    return listed;
  }

  /**
   * The bills of materials, in the order of the artifacts; undefined if no policy needs them.
   *
   * @throws OrganizationBusy, Busy when too much waits for a thread
   */
  async of(
    org: string,
    policies: readonly AskingPolicy[],
    artifacts: readonly ArtifactEvidence[],
  ): Promise<readonly (Bill | undefined)[]> {
    const hasRule = policies.some(({ rules }) => {
      return rules.sbom?.required === true || denies(rules) || rules.vulnerabilities !== undefined;
    });
    if (!hasRule) return artifacts.map(() => undefined);
    const own = await this.readListed(artifacts);
    const bills = await this.deniedOf(org, policies, own);
    const vulnerable = await this.vulnerableOf(org, policies, own);
    return vulnerable === null ? bills : bills.map((bill, i) => withVulnerable(bill, vulnerable[i]));
  }

  private async vulnerableOf(
    org: string,
    policies: readonly AskingPolicy[],
    own: readonly ListedSboms[],
  ): Promise<readonly VulnerableBill[] | null> {
    const vulnerabilityRules = policies.flatMap(({ id, rules: { vulnerabilities: rule } }) =>
      rule === undefined ? [] : [{ id, rule }],
    );
    if (vulnerabilityRules.length === 0) return null;
    const perArtifact = await this.vulnerabilities.of(org, own);
    const at = this.clock.now();
    return mapInSlices(perArtifact, ({ knowledge, vulnerabilities }: ArtifactVulnerabilities) => {
      const exceeding: Record<string, readonly ExceedingVulnerabilities[]> = {};
      const ends: number[] = [];
      for (const { id, rule } of vulnerabilityRules) {
        const excess = exceedingOf(rule, vulnerabilities, at);
        exceeding[id] = excess.exceeding;
        if (excess.graceEnds !== null) ends.push(excess.graceEnds);
      }
      return { knowledge, exceeding, graceEnds: ends.length === 0 ? null : Math.min(...ends) };
    });
  }

  private async deniedOf(
    org: string,
    policies: readonly AskingPolicy[],
    own: readonly ListedSboms[],
  ): Promise<readonly Bill[]> {
    const denyingPolicies = policies.filter(({ rules }) => denies(rules));
    const unjudgedOf = ({ unmatched, parts }: ListedSboms) => ({ unmatched, isEmpty: parts.length === 0 });
    if (denyingPolicies.length === 0) return own.map((one) => ({ sbom: one.state, denied: {}, ...unjudgedOf(one) }));
    const rules = denyingPolicies.map(({ rules: { components } }) => JSON.stringify(components));
    const lists = own.map(({ parts }) => parts);
    const deniedIn = await this.deniedBy(org, rules, lists);
    return own.map((one): Bill => {
      const { state, parts } = one;
      if (state === 'none') return NO_BILL;
      const all = parts.map(deniedIn);
      const read = all.filter((one) => one !== null);
      const denied = denyingPolicies.map(({ id }, i) => [id, mergeDenied(read.map((one) => one[i] ?? []))] as const);
      return {
        sbom: read.length < all.length ? 'not-read' : state,
        denied: Object.fromEntries(denied),
        ...unjudgedOf(one),
      };
    });
  }

  /** The attestations that describe the content of an artifact. An override does not change the content, so overridden ones are included. */
  private async countedOf(
    evidence: readonly Pick<Evidence, 'attestations'>[],
  ): Promise<readonly AttestationDocument[]> {
    const newest = evidence.flatMap((one) => one.attestations).filter((one) => one.subject !== TRAIL_SUBJECT);
    const overridden = newest.flatMap(({ type, overriddenId }) =>
      type === 'override' && overriddenId !== null ? [overriddenId] : [],
    );
    const collection = this.engines.documents.collection(attestations);
    const replaced = overridden.length === 0 ? [] : [...(await getAll(collection, overridden)).values()];
    return [...newest, ...replaced];
  }

  private async sbomAt({ stream, seq }: Place): Promise<RecordedSbom> {
    const key = `${stream}#${seq}`;
    const cachedSbom = this.sboms.get(key);
    if (cachedSbom !== undefined) return cachedSbom;
    const commit = await commitAt(this.engines.events, stream, seq);
    const sbom = await this.sbomOf(commit);
    this.sboms.set(key, sbom);
    return sbom;
  }

  private async sbomOf(commit: Commit): Promise<RecordedSbom> {
    const events = await eventsOf(this.engines.events, commit, (type) => type === 'AttestationReported');
    const counts = (events as AttestationReported[]).map(({ data }) => data.components);
    // Earlier versions of the service recorded no components.
    const isComplete = counts.every((components) => components?.left === 0);
    const parts = commit.events.flatMap(({ type, digest }) => (type === LISTED ? [digest] : []));
    const unmatched = counts.reduce((sum, components) => sum + (components?.unmatched ?? 0), 0);
    const roots = counts.flatMap((components) => components?.roots ?? []);
    return { state: isComplete ? 'complete' : 'incomplete', parts, unmatched, roots };
  }

  /** What the rules deny in a part; null if the judgement has read the most parts already. */
  private async deniedBy(
    org: string,
    rules: readonly string[],
    parts: readonly (readonly string[])[],
  ): Promise<(part: string) => DeniedByRule | null> {
    const prefix = `${org}/${sha256(rules.join('\n'))}/`;
    const results = new Map<string, DeniedByRule>();
    const missing = new Set<string>();
    const slices = new Slices();
    for (const some of parts) {
      await slices.pause();
      for (const part of some) {
        const cachedResult = results.get(part) ?? this.results.get(prefix + part);
        if (cachedResult !== undefined) results.set(part, cachedResult);
        else missing.add(part);
      }
    }
    for (const some of pieces([...missing].slice(0, PARTS_MAX), JOB_PARTS)) {
      await slices.pause();
      const texts = await Promise.all(some.map((digest) => this.textOf(org, digest)));
      const denied = await this.evaluator.deniedIn(org, rules, texts);
      // Another job with these rules would also take too long.
      if ('kind' in denied) break;
      for (const [i, part] of some.entries()) {
        const result = denied[i];
        if (result === undefined) continue;
        results.set(part, result);
        this.results.set(prefix + part, result);
      }
    }
    return (part) => results.get(part) ?? null;
  }

  private async textOf(org: string, digest: string): Promise<string> {
    const text = await storedText(this.engines.events, { org }, { digest });
    if (text === null) throw new BrokenRecord(`components ${digest} of ${org} are gone`);
    return text;
  }
}

function withVulnerable(bill: Bill, vulnerable: VulnerableBill | undefined): Bill {
  return vulnerable === undefined ? bill : { ...bill, vulnerable };
}

function denies({ components }: PolicyRules): boolean {
  return components !== undefined && components.deny.length > 0;
}
