import type { SnapshotRecorded } from '@assurance/contracts/environments/events';
import type { EventMeta } from '@assurance/contracts/events/event';
import { keyOf, kindOf } from '@assurance/contracts/events/streams';
import type { AttestationReported, ComponentsListed } from '@assurance/contracts/evidence/events';
import type { ArtifactReported } from '@assurance/contracts/flows/events';
import { BATCH, batches, removeDuplicates, putRows } from '@assurance/event-sourcing/projection/batches';
import { documentMemory } from '@assurance/event-sourcing/projection/document-memory';
import type { RecordedEvent, View } from '@assurance/event-sourcing/projection/view';
import { readPurl } from '@assurance/evidence/domain/purl';
import { newestAttestationId, subjectOf } from '@assurance/flows/domain/attestation';
import { canonicalJson, groupBy, sha256, Slices } from '@assurance/kernel';
import { type Documents, findPages } from '@assurance/storage-ports';
import {
  artifactId,
  type AwaitedSubject,
  awaitedSubjects,
  baseOf,
  type BeginningRow,
  beginnings,
  componentCollections,
  componentDigest,
  componentId,
  type ComponentPart,
  componentParts,
  type ComponentRow,
  componentRows,
  type ComponentUse,
  componentUses,
  type CountedArtifact,
  countedArtifacts,
  type KnownSbom,
  partId,
  type PartUse,
  partUses,
  SBOM_STATES,
  type SbomFacts,
  sbomKey,
  type SbomRow,
  sbomRows,
  type SbomState,
  type Scope,
  type ScopedArtifact,
  scopedArtifacts,
  scopedId,
  scopeKey,
} from './rows';

export type FollowedEvent = AttestationReported | ComponentsListed | ArtifactReported | SnapshotRecorded;

/** Components of bills of materials, the artifacts that these are of, and which artifacts have none. Where an artifact ran is not in it. */
export const componentsView: View = {
  name: 'components',
  version: 6,
  collections: componentCollections,
  kinds: new Set(['trail', 'artifact', 'environment']),
  types: new Set<FollowedEvent['type']>([
    'AttestationReported',
    'ComponentsListed',
    'ArtifactReported',
    'SnapshotRecorded',
  ]),
  take: (documents, recorded) => follow(documents, recorded as readonly RecordedEvent<FollowedEvent>[]),
};

/** An artifact that a flow reported or that ran in an environment. */
interface ArtifactInScope {
  readonly org: string;
  readonly fingerprint: string;
  readonly scope: Scope;
}

/** What a call of `follow` writes. */
interface FollowResult {
  readonly parts: Map<string, ComponentPart>;
  readonly components: Map<string, ComponentRow>;
  readonly places: Map<string, ComponentUse>;
  readonly uses: Map<string, PartUse>;
  readonly sboms: Map<string, SbomRow>;
  readonly subjects: Map<string, { readonly org: string; readonly subject: AwaitedSubject }>;
  /** By the ids of artifacts in their scopes. */
  readonly artifacts: Map<string, ArtifactInScope>;
  readonly beginnings: Map<string, BeginningRow>;
}

/**
 * Ids of artifacts of scopes that this process wrote, with what their organization knew of them. Rows are never removed, and a bill of materials that
 * comes later finds them: nothing is left to do for an artifact that starts again.
 */
const writtenArtifacts = documentMemory<string>();
/** Ids of components, and of parts, that this process wrote: most lists have those of others. */
const writtenComponents = documentMemory<string>();
const writtenParts = documentMemory<string>();

/**
 * Takes events into the view. Idempotent, and commutative: each side of a join writes its own first and reads the other's second, of several bills of
 * materials of a name the newest stays.
 */
export async function follow(
  documents: Documents,
  recordedEvents: readonly RecordedEvent<FollowedEvent>[],
): Promise<void> {
  const result: FollowResult = {
    parts: new Map(),
    components: new Map(),
    places: new Map(),
    uses: new Map(),
    sboms: new Map(),
    subjects: new Map(),
    artifacts: new Map(),
    beginnings: new Map(),
  };
  const caches = {
    components: writtenComponents(documents.collection(componentRows)),
    parts: writtenParts(documents.collection(componentParts)),
  };
  const slices = new Slices();
  for (const { event, meta } of recordedEvents) {
    await slices.pause();
    switch (event.type) {
      case 'ComponentsListed':
        followComponents(result, caches, event, meta);
        break;
      case 'AttestationReported':
        followSbom(result, event, meta);
        break;
      case 'ArtifactReported':
        followReport(result, event, meta);
        break;
      case 'SnapshotRecorded':
        await followSnapshot(result, event, meta, slices);
    }
  }
  await putRows(documents.collection(componentParts), result.parts);
  await putRows(documents.collection(componentRows), result.components);
  await putRows(documents.collection(componentUses), result.places);
  for (const id of result.components.keys()) caches.components.set(id, '');
  for (const id of result.parts.keys()) caches.parts.set(id, '');
  await putRows(documents.collection(partUses), result.uses);
  await putRows(documents.collection(beginnings), result.beginnings);
  const memory = writtenArtifacts(documents.collection(countedArtifacts));
  const artifacts = new Map([...result.artifacts].filter(([id]) => memory.get(id) === undefined));
  const scopedArtifacts = await writeArtifacts(documents, artifacts);
  await writeScopedArtifacts(documents, scopedArtifacts);
  await joinSubjects(documents, result);
  await writeSboms(documents, result.sboms);
  await inheritStates(documents, scopedArtifacts);
  for (const id of artifacts.keys()) memory.set(id, '');
}

function followComponents(
  { parts, components: rows, places, uses }: FollowResult,
  caches: Readonly<Record<'components' | 'parts', ReturnType<typeof writtenParts>>>,
  { data }: ComponentsListed,
  { org, stream, seq }: EventMeta,
): void {
  const { components } = data;
  const part = sha256(canonicalJson(components));
  const id = partId(org, part);
  const sbom = sbomKey({ stream, seq });
  uses.set(`${sbom}/${part}`, { org, part, sbom });
  if (parts.has(id) || caches.parts.get(id) !== undefined) return;
  parts.set(id, { org, components });
  for (const [place, { purl, name, version }] of components.entries()) {
    const component = componentDigest({ purl, name, version });
    places.set(`${id}/${place}`, { org, component, part, place });
    const row = componentId(org, component);
    if (rows.has(row) || caches.components.get(row) !== undefined) continue;
    const read = purl === null ? null : readPurl(purl);
    rows.set(row, { org, package: read?.package ?? null, base: baseOf(name), purl, name, version });
  }
}

function followSbom(
  { sboms, subjects }: FollowResult,
  { data }: AttestationReported,
  { org, stream, seq }: EventMeta,
): void {
  const { type, target, name, components } = data;
  // One of a trail is about no artifact.
  if (type !== 'sbom' || target.kind === 'trail') return;
  const subject = subjectOf(target);
  const facts: SbomFacts = {
    attestation: newestAttestationId(stream, subject, name),
    sbom: sbomKey({ stream, seq }),
    seq,
    state: components === undefined ? 'unread' : components.left > 0 ? 'cut' : 'read',
    unmatched: components?.listed === 0 ? 1 : (components?.unmatched ?? 0),
    roots: components?.roots ?? [],
  };
  if (target.kind === 'artifact') return putSbom(sboms, org, target.fingerprint, facts);
  putSubject(subjects, org, subjectId(stream, subject), { fingerprints: [], sboms: [facts] });
}

function followReport(
  { artifacts, subjects }: FollowResult,
  { data }: ArtifactReported,
  { org, stream }: EventMeta,
): void {
  const { fingerprint, first, provenance } = data;
  const scope: Scope = { kind: 'flow', id: provenance.flow.id };
  artifacts.set(scopedId(scope, fingerprint), { org, scope, fingerprint });
  const { template, gitCommit } = first ?? provenance;
  if (template === null || kindOf(stream) !== 'trail') return;
  const subject = subjectOf({ kind: 'awaited', template, commit: gitCommit });
  putSubject(subjects, org, subjectId(stream, subject), { fingerprints: [fingerprint], sboms: [] });
}

async function followSnapshot(
  { artifacts, beginnings }: FollowResult,
  { data }: SnapshotRecorded,
  { org, stream }: EventMeta,
  slices: Slices,
): Promise<void> {
  const { snapshot, afresh } = data;
  const environment = keyOf(stream);
  if (afresh !== undefined) beginnings.set(`${environment}/${snapshot}`, { org, environment, snapshot });
  // What a logical environment shows, its members report.
  if (data.type === 'logical') return;
  const scope: Scope = { kind: 'environment', id: environment };
  for (const { fingerprint, now } of data.changes) {
    await slices.pause();
    if (now === 0 || fingerprint === '') continue;
    artifacts.set(scopedId(scope, fingerprint), { org, scope, fingerprint });
  }
}

function putSbom(sboms: FollowResult['sboms'], org: string, fingerprint: string, facts: SbomFacts): void {
  const id = `${facts.attestation}@${fingerprint}`;
  if ((sboms.get(id)?.seq ?? 0) < facts.seq) sboms.set(id, { org, fingerprint, ...facts });
}

function putSubject(subjects: FollowResult['subjects'], org: string, id: string, subject: AwaitedSubject): void {
  const other = subjects.get(id)?.subject;
  subjects.set(id, { org, subject: other === undefined ? subject : mergeSubjects(other, subject) });
}

/** The id of what attestations of a trail await. */
export function subjectId(stream: string, subject: string): string {
  return `${sha256(subject)}@${stream}`;
}

/** All fingerprints, and of each attestation the newest. */
function mergeSubjects(a: AwaitedSubject, b: AwaitedSubject): AwaitedSubject {
  return {
    fingerprints: removeDuplicates([...a.fingerprints, ...b.fingerprints]).sort(),
    sboms: newestOf([...a.sboms, ...b.sboms]),
  };
}

/** Joins what is awaited with what was reported: whichever comes second finds the other. */
async function joinSubjects(documents: Documents, { subjects, sboms }: FollowResult): Promise<void> {
  const collection = documents.collection(awaitedSubjects);
  for (const ids of batches([...subjects.keys()])) {
    await collection.merge(ids, (current, id) => {
      const own = subjects.get(id)?.subject;
      return own === undefined || current === null ? own : mergeSubjects(current, own);
    });
    for (const [id, { fingerprints, sboms: awaiting }] of await collection.getMany(ids)) {
      const org = subjects.get(id)?.org ?? '';
      for (const facts of awaiting) for (const fingerprint of fingerprints) putSbom(sboms, org, fingerprint, facts);
    }
  }
}

async function writeSboms(documents: Documents, sboms: FollowResult['sboms']): Promise<void> {
  const collection = documents.collection(sbomRows);
  for (const ids of batches([...sboms.keys()])) {
    await collection.merge(ids, (current, id) => {
      const row = sboms.get(id);
      return row === undefined || (current !== null && current.seq >= row.seq) ? undefined : row;
    });
  }
  for (const [org, rows] of groupBy([...sboms.values()], (row) => row.org)) {
    const byFingerprint = groupBy(rows, ({ fingerprint }) => fingerprint);
    for (const fingerprints of batches([...byFingerprint.keys()])) {
      const fingerprintsById = new Map(fingerprints.map((fingerprint) => [artifactId(org, fingerprint), fingerprint]));
      await documents.collection(countedArtifacts).merge([...fingerprintsById.keys()], (current, id) => {
        const fingerprint = fingerprintsById.get(id) ?? '';
        return withSboms(current ?? newArtifact({ org, fingerprint }), byFingerprint.get(fingerprint) ?? []);
      });
      const where = { org, fingerprint: { in: fingerprints } };
      for await (const page of findPages(documents.collection(scopedArtifacts), { where }, BATCH)) {
        const sbomsOf = ({ doc }: (typeof page)[number]) => byFingerprint.get(doc.fingerprint) ?? [];
        await writeScopedArtifacts(
          documents,
          new Map(page.map((row) => [row.id, { ...row.doc, sboms: sbomsOf(row).map(factsOfRow) }])),
        );
      }
    }
  }
}

/**
 * Writes artifacts with their first flow and environment.
 *
 * @returns those that are in others, by their ids: they are rows of their own
 */
async function writeArtifacts(
  documents: Documents,
  artifacts: ReadonlyMap<string, ArtifactInScope>,
): Promise<Map<string, ScopedArtifact>> {
  const scopedArtifacts = new Map<string, ScopedArtifact>();
  const byArtifact = groupBy([...artifacts.values()], ({ org, fingerprint }) => artifactId(org, fingerprint));
  const slices = new Slices();
  for (const ids of batches([...byArtifact.keys()])) {
    await slices.pause();
    const writtenArtifacts = new Map<string, CountedArtifact>();
    await documents.collection(countedArtifacts).merge(ids, (current, id) => {
      const [some, ...others] = byArtifact.get(id) ?? [];
      if (some === undefined) return undefined;
      let artifact = current ?? newArtifact(some);
      for (const { scope } of [some, ...others])
        if (artifact[scope.kind] === null) artifact = { ...artifact, [scope.kind]: scope.id };
      // Where another process wrote in between, this is called again.
      writtenArtifacts.set(id, artifact);
      return artifact === current ? undefined : artifact;
    });
    for (const id of ids) {
      for (const { org, fingerprint, scope } of byArtifact.get(id) ?? []) {
        if (writtenArtifacts.get(id)?.[scope.kind] === scope.id) continue;
        const row = { org, scope: scopeKey(scope), fingerprint, sbom: 'none', unmatched: null, sboms: [] } as const;
        scopedArtifacts.set(scopedId(scope, fingerprint), row);
      }
    }
  }
  return scopedArtifacts;
}

function newArtifact({ org, fingerprint }: Pick<CountedArtifact, 'org' | 'fingerprint'>): CountedArtifact {
  return { org, fingerprint, flow: null, environment: null, sbom: 'none', unmatched: null, sboms: [] };
}

/** An artifact in a further environment or flow has what its organization knows of it. */
async function inheritStates(documents: Documents, scoped: ReadonlyMap<string, ScopedArtifact>): Promise<void> {
  const slices = new Slices();
  for (const some of batches([...scoped])) {
    await slices.pause();
    const idOf = ({ org, fingerprint }: ScopedArtifact) => artifactId(org, fingerprint);
    const own = await documents
      .collection(countedArtifacts)
      .getMany(removeDuplicates(some.map(([, row]) => idOf(row))));
    const inherited = some.map(([id, row]) => [id, { ...row, sboms: own.get(idOf(row))?.sboms ?? [] }] as const);
    await writeScopedArtifacts(documents, new Map(inherited.filter(([, { sboms }]) => sboms.length > 0)));
  }
}

/** Writes artifacts of scopes: of each attestation the newest bill of materials stays. */
async function writeScopedArtifacts(
  documents: Documents,
  artifacts: ReadonlyMap<string, ScopedArtifact>,
): Promise<void> {
  const slices = new Slices();
  for (const ids of batches([...artifacts.keys()])) {
    await slices.pause();
    await documents.collection(scopedArtifacts).merge(ids, (current, id) => {
      const artifact = artifacts.get(id);
      if (artifact === undefined) return undefined;
      const created = { ...artifact, sbom: 'none', unmatched: null, sboms: [] } as const;
      return withSboms(current ?? created, artifact.sboms) ?? (current === null ? created : undefined);
    });
  }
}

/** What is known with some bills of materials; undefined when they tell nothing new. */
function withSboms<T extends KnownSbom>(row: T, more: KnownSbom['sboms']): T | undefined {
  const sboms = newestOf([...row.sboms, ...more.map(factsOfRow)]);
  const isSame = row.sboms.length === sboms.length && sboms.every((own, i) => own.seq === row.sboms[i]?.seq);
  const unmatched = sboms.reduce((sum, own) => sum + own.unmatched, 0) || null;
  return isSame ? undefined : { ...row, sboms, sbom: highestState(sboms), unmatched };
}

function factsOfRow({
  attestation,
  seq,
  state,
  unmatched,
  roots,
}: KnownSbom['sboms'][number]): KnownSbom['sboms'][number] {
  return { attestation, seq, state, unmatched, roots };
}

/** The newest of each attestation. */
function newestOf<T extends Pick<SbomFacts, 'attestation' | 'seq'>>(all: readonly T[]): T[] {
  const newest = new Map<string, T>();
  for (const sbom of all) if ((newest.get(sbom.attestation)?.seq ?? 0) < sbom.seq) newest.set(sbom.attestation, sbom);
  return [...newest.values()].sort((a, b) => (a.attestation < b.attestation ? -1 : 1));
}

function highestState(sboms: KnownSbom['sboms']): SbomState {
  return sboms.reduce<SbomState>(
    (state, sbom) => (SBOM_STATES.indexOf(state) < SBOM_STATES.indexOf(sbom.state) ? sbom.state : state),
    'none',
  );
}
