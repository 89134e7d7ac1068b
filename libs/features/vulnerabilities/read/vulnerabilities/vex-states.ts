import { addTo, getOrInsert } from '@assurance/kernel';
import type { VexStatement } from '@assurance/contracts/vulnerabilities/events';
import { type Documents, pagesAmong } from '@assurance/storage-ports';
import { coversRoot, vexState } from '../../domain/statement';
import { nameDigest, type StatementRow, statementRows } from './rows';

const PAGE = 500;
/** The most VEX statements that one query reads. */
const STATEMENTS_MAX = 10_000;
const DIGEST = /[0-9a-f]{64}/g;

/** Returns VEX statements by the digest of the name of their vulnerability, or `too-many` beyond the limit. */
export async function statementsOn(
  documents: Documents,
  org: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly StatementRow[]> | 'too-many'> {
  const statements = new Map<string, StatementRow[]>();
  let count = 0;
  const pages = pagesAmong(documents.collection(statementRows), { org }, 'name', new Set(names.map(nameDigest)), PAGE);
  for await (const page of pages) {
    for (const { doc } of page) {
      addTo(statements, doc.name, doc);
    }
    if ((count += page.length) > STATEMENTS_MAX) return 'too-many';
  }
  return statements;
}

/** The VEX statements that apply to artifacts and components, for one vulnerability. */
export class VexStates {
  private readonly all: readonly VexStatement[];
  /** The newest commit of imports that contains each statement. */
  private readonly seqs = new Map<VexStatement, number>();
  private readonly byArtifact = new Map<string, Set<VexStatement>>();
  private readonly byComponent = new Map<string, ReadonlySet<VexStatement>>();
  private readonly byRoot = new Map<string, ReadonlySet<VexStatement>>();

  /** @param roots other names of artifacts, by fingerprint */
  constructor(
    private readonly vulnerability: { readonly id: string; readonly aliases: readonly string[] },
    statements: ReadonlyMap<string, readonly StatementRow[]>,
    private readonly roots: ReadonlyMap<string, readonly string[]>,
  ) {
    const names = new Set([vulnerability.id, ...vulnerability.aliases].map(nameDigest));
    const own = [...names].flatMap((name) => statements.get(name) ?? []);
    this.all = own.sort((a, b) => a.seq - b.seq).map(({ statement }) => statement);
    for (const { statement, seq } of own) this.seqs.set(statement, seq);
    for (const statement of this.all) {
      for (const { id } of statement.products) {
        for (const digest of id.match(DIGEST) ?? []) {
          const others = this.byArtifact.get(digest) ?? new Set();
          this.byArtifact.set(digest, others.add(statement));
        }
      }
    }
  }

  /** Whether there is no statement about the vulnerability. */
  get isEmpty(): boolean {
    return this.all.length === 0;
  }

  /** Returns the statement that applies, or null if there is none. */
  of(fingerprint: string, purl: string): VexStatement | null {
    const statements = this.candidates(fingerprint, purl);
    return vexState(statements, this.subjectOf(fingerprint, purl), this.vulnerability);
  }

  /** Returns all statements, including those that no longer apply. A statement may appear twice if it names several aliases. */
  about(fingerprint: string, purl: string): readonly { readonly statement: VexStatement; readonly seq: number }[] {
    const subject = this.subjectOf(fingerprint, purl);
    return this.candidates(fingerprint, purl)
      .filter((one) => vexState([one], subject, this.vulnerability) !== null)
      .map((statement) => ({ statement, seq: this.seqs.get(statement) ?? 0 }));
  }

  private candidates(fingerprint: string, purl: string): readonly VexStatement[] {
    const [artifact, component] = [this.byArtifact.get(fingerprint), this.onComponent(purl)];
    const roots = (this.roots.get(fingerprint) ?? []).map((root) => this.onRoot(root));
    return this.all.filter(
      (one) => artifact?.has(one) === true || component.has(one) || roots.some((own) => own.has(one)),
    );
  }

  private subjectOf(fingerprint: string, purl: string) {
    return { product: fingerprint, component: purl, roots: this.roots.get(fingerprint) ?? [] };
  }

  /** Returns the statements about a root, with any component. */
  private onRoot(root: string): ReadonlySet<VexStatement> {
    return getOrInsert(
      this.byRoot,
      root,
      () => new Set(this.all.filter(({ products }) => products.some(({ id }) => coversRoot(id, root)))),
    );
  }

  /** Returns the statements about a component, in any product. */
  private onComponent(purl: string): ReadonlySet<VexStatement> {
    const cached = this.byComponent.get(purl);
    if (cached !== undefined) return cached;
    const subject = { product: purl, component: purl };
    const own = new Set(this.all.filter((one) => vexState([one], subject, this.vulnerability) !== null));
    this.byComponent.set(purl, own);
    return own;
  }
}
