import type { ActorNameLookup } from '@assurance/access/lookups/actors';
import { streams } from '@assurance/contracts/events/streams';
import type { VexStatementsListed, VulnerabilityEvent } from '@assurance/contracts/vulnerabilities/events';
import { BrokenRecord, commitAt, dataOf } from '@assurance/event-sourcing/sealing/read';
import { canonicalJson, groupBy, isoOf, sha256 } from '@assurance/kernel';
import type { ListedArtifact } from '@assurance/policies/lookups/known-vulnerabilities';
import type { Commit, EventStore, StreamPosition } from '@assurance/storage-ports';
import type { VulnerabilitiesInView } from '@assurance/vulnerabilities/read/known-vulnerabilities';
import { jsonText, type PackagedVex } from '../../package/manifest';
import type { VexRow } from '../../package/pdf/report';
import { type ShownImport, type ShownStatement, statementContent, VEX, VEX_EVENTS } from '../../package/contents';
import { type PackageFile, textFile } from '../../package/write';
import { type CommitRange, COMPONENTS, type EventFilter, rangesOf, type Records } from './chain';
import type { Record } from './recorded';

/** The most components that the statements of a package name. A component counts once for each statement. */
const NAMED_MAX = 5_000;
/** How many commits are read at once in the search back for the begin of an import. */
const PAGE = 200;

/** The imported VEX statements about vulnerabilities of a package's artifacts. */
export interface ProvedVex {
  readonly manifest: PackagedVex;
  readonly file: PackageFile;
  readonly rows: readonly VexRow[];
  /** The commits that contain the statements, and the commits that begin their imports. */
  readonly commits: readonly Commit[];
  readonly ranges: readonly CommitRange[];
  /** Selects the events of these commits that contain a statement or begin an import. */
  readonly events: EventFilter;
}

/**
 * The imported VEX statements about vulnerabilities of artifacts. It finds them by the components in bills of materials in the package, and by
 * reports of scanners. Null if the organization imported nothing, or if the package has neither.
 *
 * @throws BrokenRecord
 */
export async function vexOf(
  engines: Records,
  vulnerabilities: Pick<VulnerabilitiesInView, 'hasCompared' | 'statementsAbout'>,
  org: string,
  record: Pick<Record, 'attestations' | 'countingIds'>,
  nameOf: ActorNameLookup,
): Promise<ProvedVex | null> {
  const { events } = engines;
  const stream = streams.vulnerabilities(org);
  const newest = await events.newest(stream);
  if (newest === null) return null;
  const artifacts = await listedArtifacts(events, record);
  if (artifacts.length === 0) return null;
  const hasCompared = await vulnerabilities.hasCompared(org, newest.seq);
  const relevant = await vulnerabilities.statementsAbout(org, artifacts, NAMED_MAX);
  const commits = new Map<number, Commit>();
  const begins = new Map<number, Begin>();
  const digests = new Set<string>();
  for (const [seq, own] of groupBy(relevant.statements, (one) => one.seq)) {
    const commit = await commitAt(events, stream, seq);
    commits.set(seq, commit);
    for (const digest of await eventsWith(events, commit, new Set(own.map((one) => one.digest)))) digests.add(digest);
    const begin = await beginOf(events, commit);
    begins.set(seq, begin);
    commits.set(begin.commit.seq, begin.commit);
    digests.add(begin.digest);
  }
  const shownStatements: ShownStatement[] = [];
  for (const statement of relevant.statements) {
    const begin = begins.get(statement.seq);
    if (begin === undefined) continue;
    const { commit, file } = begin;
    const document: ShownImport = {
      ...file,
      when: isoOf(commit.at),
      by_whom: { id: commit.actor, name: await nameOf(commit.actor) },
      recorded: { stream, seq: commit.seq },
    };
    shownStatements.push({
      vulnerability: statement.id,
      aliases: statement.aliases,
      artifact: statement.fingerprint,
      components: statement.components,
      replaced_for: statement.replaced,
      ...statementContent(statement.statement),
      recorded: { stream, seq: statement.seq },
      document,
    });
  }
  const isComplete = hasCompared && relevant.isComplete;
  const names = new Map(
    record.attestations.flatMap(({ data: { target } }) => {
      return target.kind === 'artifact' ? [[target.fingerprint, target.filename] as const] : [];
    }),
  );
  return {
    manifest: { document: VEX, statements: shownStatements.length, complete: isComplete },
    file: textFile(VEX, jsonText({ complete: isComplete, statements: shownStatements })),
    rows: shownStatements.map((one) => rowOf(one, names.get(one.artifact) ?? one.artifact)),
    commits: [...commits.values()],
    ranges: await rangesOf(engines, stream, commits.keys()),
    events: ({ digest }, { seq }) => commits.has(seq) && digests.has(digest),
  };
}

function rowOf({ replaced_for: replaced, ...one }: ShownStatement, artifact: string): VexRow {
  return { ...one, artifact, holds: replaced.length < one.components.length };
}

interface CollectedArtifact {
  readonly parts: Set<string>;
  readonly places: StreamPosition[];
  readonly scans: StreamPosition[];
  readonly roots: string[];
}

/**
 * Artifacts with the components that bills of materials list, and with reports of scanners. An overridden attestation still counts, because it tells
 * what the artifact contains.
 */
async function listedArtifacts(
  events: EventStore,
  { attestations, countingIds }: Pick<Record, 'attestations' | 'countingIds'>,
): Promise<ListedArtifact[]> {
  const counts = new Set(countingIds);
  for (const { data } of attestations)
    if (countingIds.has(data.id) && data.overriddenId != null) counts.add(data.overriddenId);
  const artifacts = new Map<string, CollectedArtifact>();
  for (const { data, meta } of attestations) {
    const { target } = data;
    if (target.kind !== 'artifact' || !counts.has(data.id)) continue;
    const artifact = artifacts.get(target.fingerprint) ?? { parts: new Set(), places: [], scans: [], roots: [] };
    artifacts.set(target.fingerprint, artifact);
    const place = { stream: meta.stream, seq: meta.seq };
    if (data.findings) artifact.scans.push(place);
    if (data.type !== 'sbom') continue;
    const commit = await commitAt(events, meta.stream, meta.seq);
    for (const { type, digest } of commit.events) if (type === COMPONENTS) artifact.parts.add(digest);
    artifact.places.push(place);
    artifact.roots.push(...(data.components?.roots ?? []));
  }
  return [...artifacts]
    .filter(([, { parts, scans }]) => parts.size > 0 || scans.length > 0)
    .map(([fingerprint, artifact]) => ({ fingerprint, ...artifact, parts: [...artifact.parts] }));
}

/**
 * The digests of the events in a commit that contain some statements.
 *
 * @throws BrokenRecord if one of the statements is missing
 */
async function eventsWith(events: EventStore, commit: Commit, statements: Set<string>): Promise<string[]> {
  const currentStatements: string[] = [];
  for (const event of commit.events) {
    if (event.type !== VEX_EVENTS.listed) continue;
    const { statements: all } = JSON.parse(await dataOf(events, commit, event)) as VexStatementsListed['data'];
    let holds = false;
    for (const one of all) holds = statements.delete(sha256(canonicalJson(one))) || holds;
    if (holds) currentStatements.push(event.digest);
  }
  if (statements.size > 0)
    throw new BrokenRecord(`a VEX statement of commit ${commit.seq} of ${commit.stream} is gone`);
  return currentStatements;
}

/** The commit that begins an import, and its event. */
interface Begin {
  readonly commit: Commit;
  readonly digest: string;
  readonly file: Pick<ShownImport, 'filename' | 'sha256' | 'size'>;
}

/**
 * The begin of the import that a commit belongs to. It is the last begin up to the commit that has the same actor and correlation. Other requests may
 * import at the same time.
 *
 * @throws BrokenRecord
 */
async function beginOf(events: EventStore, { stream, seq, actor, correlation }: Commit): Promise<Begin> {
  for (let end = seq; end > 0; end -= PAGE) {
    const from = Math.max(1, end - PAGE + 1);
    for (const commit of (await events.read(stream, from, end - from + 1)).toReversed()) {
      if (commit.actor !== actor || commit.correlation !== correlation) continue;
      const importBegun = commit.events.find(({ type }) => type === VEX_EVENTS.begun);
      if (importBegun === undefined) continue;
      const {
        filename,
        sha256: digest,
        size,
      } = JSON.parse(await dataOf(events, commit, importBegun)) as Extract<
        VulnerabilityEvent,
        { type: 'VulnerabilityImportBegun' }
      >['data'];
      return { commit, digest: importBegun.digest, file: { filename, sha256: digest, size } };
    }
  }
  throw new BrokenRecord(`the begin of the import in commit ${seq} of ${stream} is gone`);
}
