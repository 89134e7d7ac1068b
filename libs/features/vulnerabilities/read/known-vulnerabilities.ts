import type { ComponentsListed, ListedFinding } from '@assurance/contracts/evidence/events';
import { streams } from '@assurance/contracts/events/streams';
import { type Generation, Generations, isCurrent } from '@assurance/event-sourcing/projection/generations';
import { BrokenRecord, storedText } from '@assurance/event-sourcing/sealing/read';
import type { Ports } from '@assurance/event-sourcing/tokens';
import { addTo, BytesCache, compareTexts, pieces, Slices, yieldSlotWhile } from '@assurance/kernel';
import type { MatchedVulnerability } from '@assurance/policies/domain/vulnerable';
import type {
  ArtifactVulnerabilities,
  KnownVulnerabilities,
  ListedArtifact,
} from '@assurance/policies/lookups/known-vulnerabilities';
import { type Documents, pagesAmong, type StreamPosition } from '@assurance/storage-ports';
import { Budget } from './vulnerabilities/budget';
import { vulnerabilitiesView } from './vulnerabilities/follow';
import { findingsIn } from './vulnerabilities/reported-findings';
import {
  type NamedVulnerability,
  type PartMatch,
  type PartMatches,
  type Vulnerabilities,
  vulnerabilitiesOf,
} from './vulnerabilities/named';
import { importRows, matchRows, packageRows, scanKey } from './vulnerabilities/rows';
import { type ArtifactStatements, StatementsAbout } from './vulnerabilities/statements-about';

/** How long one evaluation waits until the view has compared the components of an SBOM (milliseconds). */
const WAIT_MS = 2_000;
/** The most parts of component lists that one evaluation reads, and the most matches that it processes. Cached parts do not count as read. */
const PARTS_MAX = 20_000;
const MATCHES_MAX = 200_000;
/** How many parts, components and streams are looked up together. */
const PARTS_TOGETHER = 16;
const PURLS_TOGETHER = 100;
const STREAMS_TOGETHER = 500;
const PAGE = 1_000;
/** The size of the cache of matches of parts (bytes). It keeps the parts that were used last. */
const PARTS_BYTES = 32 * 1024 * 1024;
/** The most memory of the findings and entries of one evaluation (bytes). Several environments are evaluated at once. */
const ROWS_BYTES = 64 * 1024 * 1024;

/** VEX states that exclude a vulnerability: nobody needs to act. */
const TAKEN_OUT: readonly string[] = ['not_affected', 'fixed'];

/** The name of a component if a scanner names none. */
const NO_PACKAGE = '(not named)';

const unknown = (knowledge: ArtifactVulnerabilities['knowledge']): ArtifactVulnerabilities => ({
  knowledge,
  vulnerabilities: [],
});

/** The data of the view about artifacts. */
interface ComparisonData {
  /** Whether the organization has imported any entry. */
  readonly knowsDatabase: boolean;
  /** Matches of the parts that are compared. */
  readonly matches: PartMatches;
  /** The parts that were not in the cache. */
  readonly missing: ReadonlySet<string>;
  /** Streams that the view has not processed far enough. */
  readonly late: ReadonlySet<string>;
  /** Findings by the key of their report; null beyond the limit. */
  readonly findings: ReadonlyMap<string, readonly ListedFinding[]> | null;
  /** Null beyond the limit. */
  readonly vulnerabilities: Vulnerabilities | null;
}

/**
 * Reads the vulnerabilities of artifacts from the view that compares components with entries. Other processes that evaluate policies can use it too.
 * A cached part belongs to one revision of the entries.
 */
export class VulnerabilitiesInView implements KnownVulnerabilities {
  private readonly parts = new BytesCache<readonly PartMatch[]>(PARTS_BYTES);

  constructor(
    private readonly ports: Pick<Ports, 'documents' | 'events'>,
    private readonly generations: Generations,
  ) {}

  async revision(org: string): Promise<string> {
    const generation = await this.openServing();
    if (generation === null) return '';
    const stream = streams.vulnerabilities(org);
    const reached = await generation.checkpoints.readStored([stream]);
    return `${generation.number}/${reached(stream)}`;
  }

  async hasCompared(org: string, seq: number): Promise<boolean> {
    const [generation, stream] = [await this.openServing(), streams.vulnerabilities(org)];
    return generation !== null && generation.checkpoints.reach([{ stream, seq }], WAIT_MS);
  }

  async of(org: string, artifacts: readonly ListedArtifact[]): Promise<readonly ArtifactVulnerabilities[]> {
    const answers = await this.readServing((generation) => this.read(generation, org, artifacts));
    return answers ?? artifacts.map(() => unknown('not-compared'));
  }

  /**
   * Returns the VEX statements about vulnerabilities of artifacts. It includes statements that exclude a vulnerability.
   *
   * @param most for how many components statements are listed at most
   */
  async statementsAbout(org: string, artifacts: readonly ListedArtifact[], most: number): Promise<ArtifactStatements> {
    const answer = await this.readServing((generation) => this.readStatements(generation, org, artifacts, most));
    return answer ?? { isComplete: false, statements: [] };
  }

  /** Answers with a read of the serving generation. It returns null if this version cannot read the serving generation, or none serves. */
  private async readServing<Answer>(read: (generation: Generation) => Promise<Answer>): Promise<Answer | null> {
    for (;;) {
      const generation = await this.openServing();
      if (generation === null) return null;
      const [answer] = await Promise.allSettled([read(generation)]);
      // The rows that it read may have been removed meanwhile.
      if ((await this.openServing())?.number !== generation.number) continue;
      if (answer.status === 'rejected') throw answer.reason;
      return answer.value;
    }
  }

  private async openServing(): Promise<Generation | null> {
    const generations = (await this.generations.current([vulnerabilitiesView]))(vulnerabilitiesView);
    return isCurrent(vulnerabilitiesView, generations)
      ? this.generations.open(vulnerabilitiesView, generations.serving)
      : null;
  }

  private async read(
    generation: Generation,
    org: string,
    artifacts: readonly ListedArtifact[],
  ): Promise<readonly ArtifactVulnerabilities[]> {
    if (artifacts.every(({ scans }) => scans.length === 0) && !(await hasDatabase(generation.documents, org))) {
      return artifacts.map(() => unknown('no-database'));
    }
    const compared = await this.readComparison(generation, org, artifacts);
    const { knowsDatabase, matches, missing, late, vulnerabilities } = compared;
    const answers: ArtifactVulnerabilities[] = [];
    const slices = new Slices();
    let left = MATCHES_MAX;
    for (const { parts, places, fingerprint, scans } of artifacts) {
      const own = parts.flatMap((part) => matches.get(part) ?? []);
      left -= own.length;
      const isCompared = !knowsDatabase || parts.every((part) => matches.has(part));
      const isRead =
        left >= 0 && vulnerabilities !== null && isCompared && (scans.length === 0 || compared.findings !== null);
      const isScanLate = scans.some(({ stream }) => late.has(stream));
      const isLate =
        !isRead && parts.some((part) => missing.has(part)) && places.some(({ stream }) => late.has(stream));
      if (isScanLate || isLate) {
        answers.push(unknown('not-compared'));
        continue;
      }
      const all = new Map<string, MatchedVulnerability>();
      for (const match of left < 0 ? [] : own) {
        await slices.pause();
        addVulnerabilities(all, vulnerabilities?.ofMatch(match), fingerprint, match);
      }
      for (const finding of findingsOn(compared, scans)) {
        await slices.pause();
        addVulnerabilities(all, vulnerabilities?.ofFinding(finding), fingerprint, {
          purl: purlOrNameOf(finding),
          certain: true,
        });
      }
      const knowledge = !isRead ? 'not-read' : knowsDatabase ? 'known' : 'no-database';
      answers.push({ knowledge, vulnerabilities: [...all.values()].sort((a, b) => compareTexts(a.id, b.id)) });
    }
    return answers;
  }

  private async readStatements(
    generation: Generation,
    org: string,
    artifacts: readonly ListedArtifact[],
    most: number,
  ): Promise<ArtifactStatements> {
    const compared = await this.readComparison(generation, org, artifacts);
    const { knowsDatabase, matches, late, findings, vulnerabilities } = compared;
    const about = new StatementsAbout(most);
    const slices = new Slices();
    let left = MATCHES_MAX;
    const take = (fingerprint: string, purl: string, all: readonly NamedVulnerability[] = []) => {
      for (const vulnerability of all) {
        if (vulnerability.hasUnread) about.leaveOut();
        about.add(fingerprint, purl, vulnerability);
      }
    };
    for (const { fingerprint, parts, scans } of artifacts) {
      const own = parts.flatMap((part) => matches.get(part) ?? []);
      left -= own.length;
      const isCompared = !knowsDatabase || parts.every((part) => matches.has(part));
      const isScanned = scans.length === 0 || (findings !== null && !scans.some(({ stream }) => late.has(stream)));
      if (!isCompared || !isScanned || left < 0 || vulnerabilities === null) about.leaveOut();
      for (const match of left < 0 ? [] : own) {
        await slices.pause();
        take(fingerprint, match.purl, vulnerabilities?.ofMatch(match));
      }
      for (const finding of findingsOn(compared, scans)) {
        await slices.pause();
        take(fingerprint, purlOrNameOf(finding), vulnerabilities?.ofFinding(finding));
      }
    }
    return about.answer;
  }

  private async readComparison(
    generation: Generation,
    org: string,
    artifacts: readonly ListedArtifact[],
  ): Promise<ComparisonData> {
    const { documents, checkpoints, number } = generation;
    const knowsDatabase = await hasDatabase(documents, org);
    const stream = streams.vulnerabilities(org);
    const prefix = `${org}/${number}/${(await checkpoints.readStored([stream]))(stream)}/`;
    const [matches, missing] = await this.readCached(prefix, knowsDatabase ? artifacts : []);
    const unread = artifacts.filter(({ parts }) => parts.some((part) => missing.has(part)));
    const late = await lateStreams(generation, [
      ...unread.flatMap(({ places }) => places),
      ...artifacts.flatMap(({ scans }) => scans),
    ]);
    const followed = unread.filter(({ places }) => places.every((place) => !late.has(place.stream)));
    const compared = new Set(followed.flatMap(({ parts }) => parts));
    const partsToMatch = [...missing].filter((part) => compared.has(part)).slice(0, PARTS_MAX);
    for (const [part, own] of await this.matchesOf(documents, org, partsToMatch)) {
      matches.set(part, own);
      this.parts.set(prefix + part, own);
    }
    const budget = new Budget(ROWS_BYTES);
    const findings = await findingsOf(documents, org, artifacts, budget);
    const listed = [...new Set([...(findings?.values() ?? [])].flat())];
    const roots = new Map(artifacts.map((artifact) => [artifact.fingerprint, artifact.roots]));
    const vulnerabilities = await vulnerabilitiesOf(documents, org, matches, listed, roots, budget);
    return {
      knowsDatabase,
      matches,
      missing,
      late,
      findings,
      vulnerabilities: vulnerabilities === 'too-many' ? null : vulnerabilities,
    };
  }

  /** Returns the cached matches of parts, and the parts that are not cached. */
  private async readCached(
    prefix: string,
    artifacts: readonly ListedArtifact[],
  ): Promise<readonly [Map<string, readonly PartMatch[]>, ReadonlySet<string>]> {
    const matches = new Map<string, readonly PartMatch[]>();
    const missing = new Set<string>();
    const slices = new Slices();
    for (const { parts } of artifacts) {
      await slices.pause();
      for (const part of parts) {
        const own = matches.get(part) ?? this.parts.get(prefix + part);
        if (own === undefined) missing.add(part);
        else matches.set(part, own);
      }
    }
    return [matches, missing];
  }

  /** Returns the matches of parts. It stops at the limit of matches for one evaluation. */
  private async matchesOf(documents: Documents, org: string, parts: readonly string[]): Promise<PartMatches> {
    const matches = new Map<string, readonly PartMatch[]>();
    const slices = new Slices();
    let count = 0;
    for (const some of pieces(parts, PARTS_TOGETHER)) {
      if (count > MATCHES_MAX) return matches;
      const listed = new Map<string, readonly string[]>();
      for (const part of some) {
        await slices.pause();
        listed.set(part, await this.purlsOf(org, part));
      }
      const byPurl = new Map<string, PartMatch[]>();
      const purls = new Set([...listed.values()].flat());
      const rows = documents.collection(matchRows);
      for await (const page of pagesAmong(rows, { org }, 'purl', purls, PAGE, PURLS_TOGETHER)) {
        for (const { doc } of page) {
          const { entry, purl, version, certain } = doc;
          addTo(byPurl, purl, { entry, purl, version, certain });
        }
      }
      for (const [part, purls] of listed) {
        await slices.pause();
        const own = purls.flatMap((purl) => byPurl.get(purl) ?? []);
        matches.set(part, own);
        count += own.length;
      }
    }
    return matches;
  }

  private async purlsOf(org: string, part: string): Promise<readonly string[]> {
    const text = await storedText(this.ports.events, { org }, { digest: part });
    if (text === null) throw new BrokenRecord(`components ${part} of ${org} are gone`);
    const { components } = JSON.parse(text) as ComponentsListed['data'];
    return [...new Set(components.flatMap(({ purl }) => purl ?? []))];
  }
}

/** Adds the vulnerabilities of a component, without those that a VEX statement excludes. */
function addVulnerabilities(
  all: Map<string, MatchedVulnerability>,
  vulnerabilities: readonly NamedVulnerability[] | undefined,
  fingerprint: string,
  component: Pick<MatchedVulnerability, 'purl' | 'certain'>,
): void {
  for (const { states, hasUnread: _, ...named } of vulnerabilities ?? []) {
    const state = states.isEmpty ? null : states.of(fingerprint, component.purl);
    if (state !== null && TAKEN_OUT.includes(state.status)) continue;
    const before = all.get(named.id);
    // Show the first component that certainly has the vulnerability, if there is one.
    const { purl, certain } = before === undefined || (!before.certain && component.certain) ? component : before;
    all.set(named.id, { ...named, purl, certain });
  }
}

function findingsOn({ findings }: ComparisonData, scans: ListedArtifact['scans']): readonly ListedFinding[] {
  return scans.flatMap((scan) => findings?.get(scanKey(scan)) ?? []);
}

/** Returns the package URL of the component of a finding, or else the name that the scanner gives it. */
function purlOrNameOf({ package: about }: ListedFinding): string {
  return about?.purl ?? (about?.name || NO_PACKAGE);
}

/** Returns the findings of the reports on artifacts, by report key, or null beyond the limit. */
async function findingsOf(
  documents: Documents,
  org: string,
  artifacts: readonly ListedArtifact[],
  budget: Budget,
): Promise<ComparisonData['findings']> {
  const keys = new Set(artifacts.flatMap(({ scans }) => scans.map(scanKey)));
  const reports = [...keys].map((scan) => ({ scan }));
  const reported = await findingsIn(documents, org, reports, null, budget);
  if (reported === 'too-many') return null;
  const byReport = new Map<string, ListedFinding[]>();
  const slices = new Slices();
  for (const { finding, scans } of reported) {
    for (const { scan } of scans) {
      await slices.pause();
      addTo(byReport, scan, finding);
    }
  }
  return byReport;
}

/** Whether an organization has imported any entry. VEX statements alone do not count: they do not say which components are unaffected. */
async function hasDatabase(documents: Documents, org: string): Promise<boolean> {
  if ((await documents.collection(importRows).get(org)) === null) return false;
  return (await documents.collection(packageRows).find({ where: { org }, limit: 1 })).length > 0;
}

/** Waits some time, then returns the streams with SBOMs or scanner reports that the view has still not compared. */
async function lateStreams(
  { checkpoints }: Generation,
  places: readonly StreamPosition[],
): Promise<ReadonlySet<string>> {
  const seqs = new Map<string, number>();
  for (const { stream, seq } of places) {
    seqs.set(stream, Math.max(seq, seqs.get(stream) ?? 0));
  }
  const lagging = async () => {
    const late: { stream: string; seq: number }[] = [];
    for (const some of pieces([...seqs.keys()], STREAMS_TOGETHER)) {
      const reached = await checkpoints.readStored(some);
      for (const stream of some) {
        const seq = seqs.get(stream) ?? 0;
        if (reached(stream) < seq) late.push({ stream, seq });
      }
    }
    return late;
  };
  const late = await lagging();
  if (late.length === 0 || (await yieldSlotWhile(() => checkpoints.reach(late, WAIT_MS)))) return new Set();
  return new Set((await lagging()).map(({ stream }) => stream));
}
