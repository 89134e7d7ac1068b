import type { VexStatement } from '@assurance/contracts/vulnerabilities/events';
import { batches } from '@assurance/event-sourcing/projection/batches';
import { type Documents, findPages } from '@assurance/storage-ports';
import { vexState } from '../../domain/statement';
import { nameDigest, type StatementRow, statementRows } from './rows';

const PAGE = 500;
/** The most VEX statements that one answer goes through. */
const STATEMENTS_MAX = 10_000;
const DIGEST = /[0-9a-f]{64}/g;

/** VEX statements by the digest of the name of their vulnerability; `too-many` beyond the limit. */
export async function statementsOn(
  documents: Documents,
  org: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly StatementRow[]> | 'too-many'> {
  const statements = new Map<string, StatementRow[]>();
  let count = 0;
  for (const some of batches([...new Set(names.map(nameDigest))])) {
    const where = { org, name: { in: some } };
    for await (const page of findPages(documents.collection(statementRows), { where }, PAGE)) {
      for (const { doc } of page) {
        const own = statements.get(doc.name);
        if (own === undefined) statements.set(doc.name, [doc]);
        else own.push(doc);
      }
      if ((count += page.length) > STATEMENTS_MAX) return 'too-many';
    }
  }
  return statements;
}

/** What holds of artifacts and components, for one vulnerability. */
export class VexStates {
  private readonly all: readonly VexStatement[];
  /** The newest commit of imports that holds each. */
  private readonly seqs = new Map<VexStatement, number>();
  private readonly byArtifact = new Map<string, Set<VexStatement>>();
  private readonly byComponent = new Map<string, ReadonlySet<VexStatement>>();

  constructor(
    private readonly vulnerability: { readonly id: string; readonly aliases: readonly string[] },
    statements: ReadonlyMap<string, readonly StatementRow[]>,
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

  /** Whether anybody said anything of the vulnerability. */
  get isEmpty(): boolean {
    return this.all.length === 0;
  }

  /** The statement that holds; null where nobody said anything. */
  of(fingerprint: string, purl: string): VexStatement | null {
    const statements = this.candidates(fingerprint, purl);
    return vexState(statements, { product: fingerprint, component: purl }, this.vulnerability);
  }

  /** All statements, also those that do not hold any more; one that names several aliases may come twice. */
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

  /** Those about a component, wherever it is. */
  private onComponent(purl: string): ReadonlySet<VexStatement> {
    const known = this.byComponent.get(purl);
    if (known !== undefined) return known;
    const subject = { product: purl, component: purl };
    const own = new Set(this.all.filter((one) => vexState([one], subject, this.vulnerability) !== null));
    this.byComponent.set(purl, own);
    return own;
  }
}
