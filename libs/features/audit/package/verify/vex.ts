import type { ImportedFile, VexStatement } from '@assurance/contracts/vulnerabilities/events';
import { canonicalJson, isoOf, sha256 } from '@assurance/kernel';
import type { Commit, StoredEvent } from '@assurance/storage-ports';
import { MANIFEST, type Manifest } from '../manifest';
import {
  placeText,
  type RecordingCommit,
  type ShownStatement,
  type StatementFacts,
  statementContent,
  VEX,
  VEX_EVENTS,
} from '../contents';
import type { Report } from './finding';

type Statements = ReadonlyMap<string, StatementFacts>;

/** An import, according to the commit that begins it. */
interface RecordedImport extends ImportedFile {
  readonly when: string;
  /** Id of the importer. */
  readonly by: string;
  readonly correlation: string;
}

/** The VEX statements and the imports in commits. */
export class RecordedVex {
  private readonly statementsByDigest = new Map<string, Statements>();
  private readonly statements = new Map<
    string,
    { readonly by: string; readonly correlation: string; readonly all: Map<string, StatementFacts> }
  >();
  private readonly imports = new Map<string, RecordedImport>();

  /** Stores data that is outside of its commit. The commit comes later. */
  hold(text: string): void {
    if (!text.startsWith('{"statements":')) return;
    try {
      this.statementsByDigest.set(sha256(text), statementsIn(text));
    } catch {
      // The text is not recorded data. An event that refers to it then counts as an event without data.
    }
  }

  /** @returns the fault of an event; null if there is none */
  take(commit: Commit, { type, digest, data }: StoredEvent): string | null {
    try {
      if (type === VEX_EVENTS.listed)
        this.takeStatements(commit, data === undefined ? this.statementsByDigest.get(digest) : statementsIn(data));
      if (type === VEX_EVENTS.begun && data !== undefined) {
        const { filename, sha256: file, size } = JSON.parse(data) as ImportedFile;
        const { at, actor: by, correlation } = commit;
        this.imports.set(placeText(commit), { filename, sha256: file, size, when: isoOf(at), by, correlation });
      }
      return null;
    } catch {
      // The content is untrusted and may have any shape.
      return `${type} cannot be read`;
    }
  }

  private takeStatements(commit: Commit, statements: Statements | undefined): void {
    if (statements === undefined) return;
    const { actor: by, correlation } = commit;
    const commitStatements = this.statements.get(placeText(commit)) ?? {
      by,
      correlation,
      all: new Map<string, StatementFacts>(),
    };
    for (const [digest, facts] of statements) commitStatements.all.set(digest, facts);
    this.statements.set(placeText(commit), commitStatements);
  }

  /** A statement in a commit, with the actor and the correlation of the commit. */
  statementAt(place: RecordingCommit, digest: string) {
    const commitStatements = this.statements.get(placeText(place));
    const facts = commitStatements?.all.get(digest);
    return commitStatements === undefined || facts === undefined
      ? null
      : { facts, by: commitStatements.by, correlation: commitStatements.correlation };
  }

  importAt(place: RecordingCommit): RecordedImport | null {
    return this.imports.get(placeText(place)) ?? null;
  }
}

function statementsIn(text: string): Statements {
  const { statements } = JSON.parse(text) as { readonly statements: readonly VexStatement[] };
  return new Map(statements.map(statementContent).map((facts) => [facts.sha256, facts]));
}

/** Compares the file of VEX statements with the commits and the manifest. Packages of earlier releases have none. */
export function checkVex(
  { vex }: Pick<Manifest, 'vex'>,
  text: string | undefined,
  recordedVex: RecordedVex,
  report: Report,
): void {
  if (text === undefined) return vex === undefined ? undefined : report(VEX, 'it is missing');
  try {
    const { complete, statements } = JSON.parse(text) as { complete: boolean; statements: readonly ShownStatement[] };
    if (vex?.document !== VEX || vex.statements !== statements.length || vex.complete !== complete)
      report(MANIFEST, `it does not say what ${VEX} says`);
    for (const statement of statements) checkStatement(statement, recordedVex, report);
  } catch {
    // The content is untrusted and may have any shape.
    report(VEX, 'it is not what we write');
  }
}

function checkStatement(shownStatement: ShownStatement, recordedVex: RecordedVex, report: Report): void {
  const { vulnerability, sha256: digest, document } = shownStatement;
  const statement = recordedVex.statementAt(shownStatement.recorded, digest);
  if (statement === null)
    return report(VEX, `${placeText(shownStatement.recorded)} does not tell the statement on ${vulnerability}`);
  for (const [field, value] of Object.entries(statement.facts))
    if (canonicalJson(shownStatement[field as keyof StatementFacts] ?? null) !== canonicalJson(value))
      report(VEX, `the ${field} of the statement on ${vulnerability} is not what was recorded`);
  const importBegun = recordedVex.importAt(document.recorded);
  if (
    importBegun === null ||
    document.recorded.seq >= shownStatement.recorded.seq ||
    document.recorded.stream !== shownStatement.recorded.stream
  )
    return report(
      VEX,
      `${placeText(document.recorded)} does not begin the import of the statement on ${vulnerability}`,
    );
  const { by, correlation, ...file } = importBegun;
  if (by !== statement.by || correlation !== statement.correlation)
    report(VEX, `the statement on ${vulnerability} is of another import than ${placeText(document.recorded)}`);
  for (const [field, value] of Object.entries({ ...file, by_whom: by })) {
    const stated = field === 'by_whom' ? document.by_whom.id : document[field as keyof typeof file];
    if (stated !== value)
      report(VEX, `the ${field} of the document with the statement on ${vulnerability} is not what was recorded`);
  }
}
