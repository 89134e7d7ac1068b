import type { VexStatement } from '@assurance/contracts/vulnerabilities/events';
import { type Documents, pagesAmong } from '@assurance/storage-ports';
import { vexState } from '../../domain/statement';
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
      const ownStatements = statements.get(doc.name);
      if (ownStatements === undefined) statements.set(doc.name, [doc]);
      else ownStatements.push(doc);
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

  constructor(
    private readonly vulnerability: { readonly id: string; readonly aliases: readonly string[] },
    statements: ReadonlyMap<string, readonly StatementRow[]>,
  ) {
    const names = new Set([vulnerability.id, ...vulnerability.aliases].map(nameDigest));
    const ownStatements = [...names].flatMap((name) => statements.get(name) ?? []);
    this.all = ownStatements.sort((a, b) => a.seq - b.seq).map(({ statement }) => statement);
    for (const { statement, seq } of ownStatements) this.seqs.set(statement, seq);
    for (const statement of this.all) {
      for (const { id } of statement.products) {
        for (const digest of id.match(DIGEST) ?? []) {
          const statementsOfDigest = this.byArtifact.get(digest) ?? new Set();
          this.byArtifact.set(digest, statementsOfDigest.add(statement));
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
    return vexState(statements, { product: fingerprint, component: purl }, this.vulnerability);
  }

  /** Returns all statements, including those that no longer apply. A statement may appear twice if it names several aliases. */
  about(fingerprint: string, purl: string): readonly { readonly statement: VexStatement; readonly seq: number }[] {
    const subject = { product: fingerprint, component: purl };
    return this.candidates(fingerprint, purl)
      .filter((one) => vexState([one], subject, this.vulnerability) !== null)
      .map((statement) => ({ statement, seq: this.seqs.get(statement) ?? 0 }));
  }

  private candidates(fingerprint: string, purl: string): readonly VexStatement[] {
    const [artifact, component] = [this.byArtifact.get(fingerprint), this.onComponent(purl)];
    return this.all.filter((one) => artifact?.has(one) === true || component.has(one));
  }

  /** Returns the statements about a component, in any product. */
  private onComponent(purl: string): ReadonlySet<VexStatement> {
    const cachedStatements = this.byComponent.get(purl);
    if (cachedStatements !== undefined) return cachedStatements;
    const subject = { product: purl, component: purl };
    const ownStatements = new Set(this.all.filter((one) => vexState([one], subject, this.vulnerability) !== null));
    this.byComponent.set(purl, ownStatements);
    return ownStatements;
  }
}
