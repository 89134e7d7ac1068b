import type { AttestationReported } from '@assurance/contracts/evidence/events';
import type { PolicyRules } from '@assurance/contracts/policies/events';
import type { Evaluator } from '@assurance/evaluator';
import { BrokenRecord, commitAt, eventsOf, storedText } from '@assurance/event-sourcing/sealing/read';
import { type AttestationDocument, attestations, THE_TRAIL } from '@assurance/flows/domain/attestation';
import type { Evidence } from '@assurance/flows/lookups/evidence';
import { BytesCache, pieces, sha256, Slices } from '@assurance/kernel';
import { type Commit, type Engines, getAll } from '@assurance/storage-ports';
import { type Bill, type DeniedComponents, NO_BILL, type SbomState, unitedDenied } from '../domain/bill';

/** The most parts of lists of components that one judging reads; those whose result is remembered do not count. */
const PARTS_MAX = 50_000;
/** How many parts one job of a thread has. */
const JOB_PARTS = 16;
/** How many bytes of results and of bills of materials are remembered: those that were used last. */
const RESULTS_BYTES = 32 * 1024 * 1024;
const SBOMS_BYTES = 8 * 1024 * 1024;
const LISTED = 'ComponentsListed';

/** A policy as far as bills of materials matter. */
interface AskingPolicy {
  readonly id: string;
  readonly rules: PolicyRules;
}
type Place = Pick<AttestationDocument, 'org' | 'stream' | 'seq'>;

/** The bill of materials that one commit attests. */
interface RecordedSbom {
  readonly state: Exclude<SbomState, 'none' | 'not-read'>;
  /** Digests of the parts of its list of components. */
  readonly parts: readonly string[];
}

/** What each rule denies in a part, in the order of the rules. */
type Denied = readonly (readonly DeniedComponents[])[];

/** Reads what bills of materials of artifacts list, as far as policies ask. One instance for each role: what it remembers never changes. */
export class Bills {
  private readonly sboms = new BytesCache<RecordedSbom>(SBOMS_BYTES);
  private readonly results = new BytesCache<Denied>(RESULTS_BYTES);

  constructor(
    private readonly engines: Pick<Engines, 'documents' | 'events'>,
    private readonly evaluator: Evaluator,
  ) {}

  /**
   * The bills of materials of artifacts, in their order; undefined where no policy asks.
   *
   * @param artifacts what is known of each
   * @throws Flooded, Busy when too much waits for a thread
   */
  async of(
    org: string,
    policies: readonly AskingPolicy[],
    artifacts: readonly (readonly Pick<Evidence, 'attestations'>[])[],
  ): Promise<readonly (Bill | undefined)[]> {
    const isAsked = policies.some(({ rules }) => rules.sbom?.required === true || denies(rules));
    if (!isAsked) return artifacts.map(() => undefined);
    const own: { readonly state: SbomState; readonly parts: readonly string[] }[] = [];
    const slices = new Slices();
    for (const evidence of artifacts) {
      await slices.pause();
      const sboms: RecordedSbom[] = [];
      for (const place of await this.placesOf(evidence)) sboms.push(await this.sbomAt(place));
      const state = sboms.some((sbom) => sbom.state === 'complete') ? 'complete' : (sboms[0]?.state ?? 'none');
      own.push({ state, parts: [...new Set(sboms.flatMap(({ parts }) => parts))] });
    }
    const asking = policies.filter(({ rules }) => denies(rules));
    if (asking.length === 0) return own.map(({ state }) => ({ sbom: state, denied: {} }));
    const rules = asking.map(({ rules: { components } }) => JSON.stringify(components));
    const deniedIn = await this.deniedBy(
      org,
      rules,
      own.map(({ parts }) => parts),
    );
    return own.map(({ state, parts }): Bill => {
      if (state === 'none') return NO_BILL;
      const all = parts.map(deniedIn);
      const read = all.filter((one) => one !== null);
      const denied = asking.map(({ id }, i) => [id, unitedDenied(read.map((one) => one[i] ?? []))] as const);
      return { sbom: read.length < all.length ? 'not-read' : state, denied: Object.fromEntries(denied) };
    });
  }

  /** The commits of the bills of materials that count for an artifact. One that was overridden still lists what the artifact contains. */
  private async placesOf(evidence: readonly Pick<Evidence, 'attestations'>[]): Promise<readonly Place[]> {
    const newest = evidence.flatMap((one) => one.attestations).filter((one) => one.subject !== THE_TRAIL);
    const overridden = newest.flatMap(({ type, countsAs, overriddenId }) =>
      type === 'override' && countsAs === 'sbom' && overriddenId !== null ? [overriddenId] : [],
    );
    const collection = this.engines.documents.collection(attestations);
    const replaced = overridden.length === 0 ? [] : [...(await getAll(collection, overridden)).values()];
    return [...newest, ...replaced].filter(({ type }) => type === 'sbom');
  }

  private async sbomAt({ stream, seq }: Place): Promise<RecordedSbom> {
    const key = `${stream}#${seq}`;
    const known = this.sboms.get(key);
    if (known !== undefined) return known;
    const commit = await commitAt(this.engines.events, stream, seq);
    const sbom = await this.sbomOf(commit);
    this.sboms.set(key, sbom);
    return sbom;
  }

  private async sbomOf(commit: Commit): Promise<RecordedSbom> {
    const events = await eventsOf(this.engines.events, commit, (type) => type === 'AttestationReported');
    const counts = (events as AttestationReported[]).map(({ data }) => data.components);
    // Those of earlier versions of the service recorded no components.
    const isComplete = counts.every((components) => components?.left === 0);
    const parts = commit.events.flatMap(({ type, digest }) => (type === LISTED ? [digest] : []));
    return { state: isComplete ? 'complete' : 'incomplete', parts };
  }

  /** Gives what rules deny in a part; null where it is one part too many. */
  private async deniedBy(
    org: string,
    rules: readonly string[],
    parts: readonly (readonly string[])[],
  ): Promise<(part: string) => Denied | null> {
    const prefix = `${org}/${sha256(rules.join('\n'))}/`;
    const found = new Map<string, Denied>();
    const missing = new Set<string>();
    const slices = new Slices();
    for (const some of parts) {
      await slices.pause();
      for (const part of some) {
        const known = found.get(part) ?? this.results.get(prefix + part);
        if (known !== undefined) found.set(part, known);
        else missing.add(part);
      }
    }
    for (const some of pieces([...missing].slice(0, PARTS_MAX), JOB_PARTS)) {
      await slices.pause();
      const texts = await Promise.all(some.map((digest) => this.textOf(org, digest)));
      const denied = await this.evaluator.deniedIn(org, rules, texts);
      // Another job of these rules would take as long.
      if ('kind' in denied) break;
      for (const [i, part] of some.entries()) {
        const result = denied[i];
        if (result === undefined) continue;
        found.set(part, result);
        this.results.set(prefix + part, result);
      }
    }
    return (part) => found.get(part) ?? null;
  }

  private async textOf(org: string, digest: string): Promise<string> {
    const text = await storedText(this.engines.events, { org }, { digest });
    if (text === null) throw new BrokenRecord(`components ${digest} of ${org} are gone`);
    return text;
  }
}

function denies({ components }: PolicyRules): boolean {
  return components !== undefined && components.deny.length > 0;
}
