import { sortedInSlices } from '@assurance/components/read/components/sorted';
import { pieces, sha256, Slices } from '@assurance/kernel';
import { type Documents, findPages, pagesAmong, pagesBy } from '@assurance/storage-ports';
import { AliasGroups, bestNames, sortedNames } from '../../domain/aliases';
import { rankOf } from '../../domain/severity';
import { Budget, getWithin } from './budget';
import { matchesOfEntries, type Vulnerability, vulnerabilityOf } from './groups';
import {
  ENTRIES_TOGETHER,
  entriesOf,
  findingsWithNames,
  namesOfFinding,
  PARTS_TOGETHER,
  type ReportedFinding,
} from './reported-findings';
import {
  type EntryRow,
  entryRows,
  findingParts,
  findingUses,
  matchedEntries,
  matchRows,
  nameDigest,
  rowId,
  type ScanRow,
  scanRows,
} from './rows';

const PAGE = 1_000;
/** All ranks of severities, as `rankOf` returns them, worst first. */
const RANKS = [5, 4, 3, 2, 1, 0];
/** For how many package URLs matches are looked up together. */
const PURLS_TOGETHER = 50;
/** The most memory of the names of one list, and of the rows of some of its vulnerabilities (bytes). */
export const LIST_BYTES: Readonly<Record<'names' | 'rows', number>> = {
  names: 128 * 1024 * 1024,
  rows: 64 * 1024 * 1024,
};

/** What a list is limited to. */
export interface Scope {
  /** Package URLs of components. */
  readonly purls: readonly string[];
  /** Returns the reports on artifacts of the scope, by key. */
  readonly reportsOf: (scans: readonly ScanRow[]) => Promise<ReadonlySet<string>>;
}

/** What a list keeps of an entry, or of the findings with one id. */
interface Mark {
  readonly about: ReturnType<typeof bestNames>;
  readonly rank: number;
  readonly isInScope: boolean;
}

/** The names of the vulnerabilities of an organization: all that a list keeps in memory, however many components and reports have them. */
export class ListedVulnerabilities {
  private readonly groups = new AliasGroups();
  /** Entries that are not withdrawn, and findings, by id. */
  private readonly entries = new Map<string, Mark>();
  private readonly findings = new Map<string, Mark>();
  private readonly reportedNames = new Set<string>();
  /** Names of vulnerabilities in the order of the list, and one name of the group of each. */
  private inOrder: readonly string[] = [];
  private roots: ReadonlyMap<string, string> = new Map();

  private constructor(
    private readonly documents: Documents,
    private readonly org: string,
    private readonly budget: Budget,
  ) {}

  /**
   * Reads the names of the vulnerabilities of all components and of all findings.
   *
   * @param rank the least severity, as `rankOf` returns it; 0 for all
   * @param scope only vulnerabilities of it; null for all
   * @returns `too-many` if the names take more memory than the budget
   */
  static async read(
    documents: Documents,
    org: string,
    rank: number,
    scope: Scope | null,
    budget = new Budget(LIST_BYTES.names),
  ): Promise<ListedVulnerabilities | 'too-many'> {
    const all = new ListedVulnerabilities(documents, org, budget);
    const inScope = await all.matchedInScope(scope?.purls ?? []);
    if (!(await all.readEntries(rank, inScope)) || !(await all.readFindings(scope))) return 'too-many';
    await all.sort(rank, scope !== null);
    return all;
  }

  get count(): number {
    return this.inOrder.length;
  }

  /** Returns the names of some vulnerabilities, worst first. */
  names(from: number, to: number): readonly string[] {
    return this.inOrder.slice(from, to);
  }

  /** Reads the vulnerabilities of some names of the list. It leaves out one that ended meanwhile. It returns `too-many` beyond the limits. */
  async vulnerabilities(
    names: readonly string[],
    budget = new Budget(LIST_BYTES.rows),
  ): Promise<readonly Vulnerability[] | 'too-many'> {
    const { documents, org, groups } = this;
    const sources = new Map<string, { readonly entries: EntryRow[]; readonly findings: ReportedFinding[] }>();
    for (const name of names) sources.set(this.roots.get(name) ?? name, { entries: [], findings: [] });
    const slices = new Slices();
    const showMarked = async (marks: ReadonlyMap<string, Mark>) => {
      const ids: string[] = [];
      for (const [id, { about }] of marks) {
        await slices.pause();
        if (about.some((one) => sources.has(groups.rootOf(one.id)))) ids.push(id);
      }
      return ids;
    };
    const digests = (await showMarked(this.entries)).map(sha256);
    const ids = digests.map((entry) => rowId(org, entry));
    const entries = await getWithin(documents.collection(entryRows), ids, budget, ENTRIES_TOGETHER);
    if (entries === 'too-many') return entries;
    const matches = await matchesOfEntries(documents, org, digests, budget);
    if (matches === 'too-many') return matches;
    const findingIds = new Set(await showMarked(this.findings));
    const nameDigests = [...new Set([...findingIds].map(nameDigest))];
    const findings = await findingsWithNames(documents, org, nameDigests, budget, ({ id }) => findingIds.has(id));
    if (findings === 'too-many') return findings;
    for (const entry of entries.values()) {
      if (entry.withdrawn === null) for (const root of groups.rootsOf(entry)) sources.get(root)?.entries.push(entry);
    }
    for (const finding of findings) {
      await slices.pause();
      for (const root of groups.rootsOf(finding.finding)) sources.get(root)?.findings.push(finding);
    }
    return [...sources]
      .map(([root, own]) => vulnerabilityOf(own, matches, (name) => groups.rootOf(name) === root))
      .filter((one) => one.matches.size > 0 || one.findings.length > 0);
  }

  /** Returns the newest version of each entry that matches one of some components, by the digest of the entry. */
  private async matchedInScope(purls: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { documents, org } = this;
    const versions = new Map<string, string>();
    const slices = new Slices();
    const pages = pagesAmong(documents.collection(matchRows), { org }, 'purl', purls, PAGE, PURLS_TOGETHER);
    for await (const page of pages) {
      for (const { doc } of page) {
        await slices.pause();
        if ((versions.get(doc.entry) ?? '') < doc.version) versions.set(doc.entry, doc.version);
      }
    }
    return versions;
  }

  /** @returns false beyond the budget */
  private async readEntries(rank: number, inScope: ReadonlyMap<string, string>): Promise<boolean> {
    const { documents, org } = this;
    const slices = new Slices();
    for (const severity of RANKS.filter((one) => one >= rank)) {
      const where = { org, severity };
      for await (const page of pagesBy(documents.collection(matchedEntries), where, 'entry', ENTRIES_TOGETHER)) {
        const entries = await documents.collection(entryRows).getMany(page.map(({ id }) => id));
        for (const { id, doc } of page) {
          await slices.pause();
          const entry = entries.get(id);
          // A match of an older version no longer counts.
          if (entry === undefined || entry.withdrawn !== null || doc.version < entry.version) continue;
          if (!this.add(this.entries, entry, (inScope.get(doc.entry) ?? '') >= entry.version)) return false;
        }
      }
    }
    return true;
  }

  /** Reads the findings of the newest reports, and the entries that share a name with them. @returns false beyond the budget */
  private async readFindings(scope: Scope | null): Promise<boolean> {
    const { documents, org, budget } = this;
    const parts = new Map<string, boolean>();
    for await (const page of findPages(documents.collection(scanRows), { where: { org } }, PAGE)) {
      const scans = page.map(({ doc }) => doc).filter(({ listed }) => listed > 0);
      const inScope = (await scope?.reportsOf(scans)) ?? new Set();
      const keys = scans.map(({ scan }) => scan);
      for await (const uses of pagesAmong(documents.collection(findingUses), { org }, 'scan', keys, PAGE)) {
        for (const { doc } of uses) {
          const before = parts.get(doc.part);
          if (before === undefined && !budget.hasRoomFor([doc.part])) return false;
          parts.set(doc.part, before === true || inScope.has(doc.scan));
        }
      }
    }
    const slices = new Slices();
    for (const some of pieces([...parts], PARTS_TOGETHER)) {
      const ids = some.map(([part]) => rowId(org, part));
      const read = await documents.collection(findingParts).getMany(ids);
      for (const [part, isInScope] of some) {
        const findings = read.get(rowId(org, part))?.findings ?? [];
        for (const finding of findings) {
          await slices.pause();
          if (!this.add(this.findings, finding, isInScope)) return false;
        }
        const newFindings = findings.filter((one) => namesOfFinding(one).some((name) => !this.reportedNames.has(name)));
        for (const name of newFindings.flatMap(namesOfFinding)) this.reportedNames.add(name);
        for await (const [, entry] of entriesOf(documents, org, newFindings)) {
          // A withdrawn entry is not listed, but its names still connect the names of one vulnerability.
          if (!this.add(entry.withdrawn === null ? this.entries : null, entry, false)) return false;
        }
      }
    }
    return true;
  }

  /** @param marks null: only names are connected @returns false beyond the budget */
  private add(
    marks: Map<string, Mark> | null,
    namedEntry: Pick<EntryRow, 'id' | 'aliases' | 'severity'>,
    isInScope: boolean,
  ): boolean {
    const names = namesOfFinding(namedEntry);
    // A name is kept in a few maps.
    if (!names.every((name) => this.groups.has(name) || this.budget.hasRoomFor([name, [name], [name]]))) return false;
    this.groups.add(namedEntry);
    const before = marks?.get(namedEntry.id);
    const earlier = before?.about ?? [];
    const others = bestNames(namedEntry).filter(
      ({ id, best }) => !earlier.some((one) => one.id === id && one.best === best),
    );
    if (earlier.length > 0 && !others.every((one) => this.budget.hasRoomFor(one))) return false;
    const about = [...earlier, ...others];
    const rank = Math.max(rankOf(namedEntry.severity), before?.rank ?? 0);
    marks?.set(namedEntry.id, { about, rank, isInScope: isInScope || before?.isInScope === true });
    return true;
  }

  /** Groups names by vulnerability, and sorts the vulnerabilities: worst first, then by name. */
  private async sort(rank: number, isScoped: boolean): Promise<void> {
    const byRoot = new Map<string, Omit<Mark, 'about'> & { readonly name: string }>();
    const slices = new Slices();
    for (const marks of [this.entries, this.findings]) {
      for (const mark of marks.values()) {
        await slices.pause();
        for (const { id, best } of mark.about) {
          const root = this.groups.rootOf(id);
          const before = byRoot.get(root);
          const own = this.groups.rootOf(best) === root ? best : id;
          const [name = own] = sortedNames(before === undefined ? [own] : [before.name, own]);
          const isInScope = mark.isInScope || before?.isInScope === true;
          byRoot.set(root, { rank: Math.max(mark.rank, before?.rank ?? 0), name, isInScope });
        }
      }
    }
    const byRank = new Map<number, string[]>(RANKS.map((one) => [one, []]));
    const roots = new Map<string, string>();
    for (const [root, mark] of byRoot) {
      await slices.pause();
      if (mark.rank < rank || (isScoped && !mark.isInScope)) continue;
      roots.set(mark.name, root);
      byRank.get(mark.rank)?.push(mark.name);
    }
    const inOrder: string[] = [];
    for (const names of byRank.values()) for (const name of await sortedInSlices(names)) inOrder.push(name);
    [this.inOrder, this.roots] = [inOrder, roots];
  }
}
