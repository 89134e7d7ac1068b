import { BATCH, batches, removeDuplicates } from '@assurance/event-sourcing/projection/batches';
import { type Documents, findPages, getAll } from '@assurance/storage-ports';
import {
  artifactId,
  countedArtifacts,
  type SbomState,
  type Scope,
  scopedArtifacts,
  type ScopedArtifact,
  scopedId,
  scopeKey,
} from './rows';

/** Artifacts that cannot be judged by their components. */
export interface UnjudgeableArtifacts {
  /** Artifacts without a bill of materials, or with one whose components were not recorded. */
  readonly withoutSbom: number;
  /** Their bill of materials has more components than are recorded. */
  readonly incompleteSbom: number;
  /** Components that no database of vulnerabilities can be compared with. */
  readonly unmatchedComponents: number;
}

/** The counts in the form of the API. */
export function unjudgedAnswer({ withoutSbom, incompleteSbom, unmatchedComponents }: UnjudgeableArtifacts) {
  return { without_sbom: withoutSbom, incomplete_sbom: incompleteSbom, unmatched_components: unmatchedComponents };
}

const WITHOUT: readonly SbomState[] = ['none', 'unread'];

/** Of all artifacts of an organization, or of those that ever ran in some environments, or that were reported in a flow, or both. */
export async function countUnjudged(
  documents: Documents,
  org: string,
  environments: readonly string[] | null,
  flow: string | null,
): Promise<UnjudgeableArtifacts> {
  // A logical environment without members.
  if (environments?.length === 0) return { withoutSbom: 0, incompleteSbom: 0, unmatchedComponents: 0 };
  const [only, ...others]: readonly Scope[] = [
    ...(environments ?? []).map((id) => ({ kind: 'environment', id }) as const),
    ...(flow === null ? [] : [{ kind: 'flow', id: flow } as const]),
  ];
  if (others.length === 0) {
    const count = (sbom: SbomState) => countIn(documents, org, only, sbom);
    const [none, unread, cut] = await Promise.all([count('none'), count('unread'), count('cut')]);
    const unmatched = await unmatchedIn(documents, org, only);
    return { withoutSbom: none + unread, incompleteSbom: cut, unmatchedComponents: sumOf(unmatched) };
  }
  const fingerprints = { without: new Set<string>(), cut: new Set<string>() };
  for (const id of environments ?? []) {
    for (const sbom of [...WITHOUT, 'cut'] as const) {
      for await (const page of artifactsIn(documents, { kind: 'environment', id }, sbom)) {
        for (const { fingerprint } of page) fingerprints[sbom === 'cut' ? 'cut' : 'without'].add(fingerprint);
      }
    }
  }
  const unmatched = new Map<string, number>();
  for (const id of environments ?? []) {
    for (const [fingerprint, count] of await unmatchedIn(documents, org, { kind: 'environment', id })) {
      unmatched.set(fingerprint, count);
    }
  }
  const inFlow = flow === null ? unmatched : await reportedInFlow(documents, org, flow, [...unmatched.keys()]);
  const countArtifacts = async (all: ReadonlySet<string>) =>
    flow === null ? all.size : (await reportedInFlow(documents, org, flow, [...all])).size;
  return {
    withoutSbom: await countArtifacts(fingerprints.without),
    incompleteSbom: await countArtifacts(fingerprints.cut),
    unmatchedComponents: sumOf([...unmatched].filter(([fingerprint]) => inFlow.has(fingerprint))),
  };
}

/** Whether an artifact was reported or ran. */
export async function isKnownArtifact(documents: Documents, org: string, fingerprint: string): Promise<boolean> {
  return (await documents.collection(countedArtifacts).get(artifactId(org, fingerprint))) !== null;
}

/** The artifacts with components that no database can be compared with, and how many they have. Most have none. */
async function unmatchedIn(
  documents: Documents,
  org: string,
  scope: Scope | undefined,
): Promise<readonly (readonly [fingerprint: string, count: number])[]> {
  const unmatched = { gte: 1 };
  const all: (readonly [string, number])[] = [];
  const first = { where: scope === undefined ? { org, unmatched } : { [scope.kind]: scope.id, unmatched } };
  for await (const page of findPages(documents.collection(countedArtifacts), first, BATCH)) {
    for (const { doc } of page) all.push([doc.fingerprint, doc.unmatched ?? 0]);
  }
  if (scope === undefined) return all;
  const further = { where: { scope: scopeKey(scope), unmatched } };
  for await (const page of findPages(documents.collection(scopedArtifacts), further, BATCH)) {
    for (const { doc } of page) all.push([doc.fingerprint, doc.unmatched ?? 0]);
  }
  return all;
}

const sumOf = (all: readonly (readonly [string, number])[]) => all.reduce((sum, [, count]) => sum + count, 0);

async function countIn(documents: Documents, org: string, scope: Scope | undefined, sbom: SbomState): Promise<number> {
  const artifacts = documents.collection(countedArtifacts);
  if (scope === undefined) return artifacts.count({ org, sbom });
  const [first, further] = await Promise.all([
    artifacts.count({ [scope.kind]: scope.id, sbom }),
    documents.collection(scopedArtifacts).count({ scope: scopeKey(scope), sbom }),
  ]);
  return first + further;
}

/**
 * The artifacts of a flow or an environment, each once, in pages.
 *
 * @param sbom undefined: in any state
 */
export async function* artifactsIn(
  documents: Documents,
  scope: Scope,
  sbom?: SbomState,
): AsyncGenerator<readonly Pick<ScopedArtifact, 'fingerprint' | 'sbom' | 'unmatched'>[]> {
  const state: Readonly<Record<string, SbomState>> = sbom === undefined ? {} : { sbom };
  const first = { where: { [scope.kind]: scope.id, ...state } };
  for await (const page of findPages(documents.collection(countedArtifacts), first, BATCH))
    yield page.map(({ doc }) => doc);
  const baseQuery = { where: { scope: scopeKey(scope), ...state } };
  for await (const page of findPages(documents.collection(scopedArtifacts), baseQuery, BATCH))
    yield page.map(({ doc }) => doc);
}

/** Which of some artifacts were reported in a flow. */
export async function reportedInFlow(
  documents: Documents,
  org: string,
  flow: string,
  fingerprints: readonly string[],
): Promise<ReadonlySet<string>> {
  const scope: Scope = { kind: 'flow', id: flow };
  const [first, further] = await Promise.all([
    getAll(
      documents.collection(countedArtifacts),
      fingerprints.map((fingerprint) => artifactId(org, fingerprint)),
    ),
    getAll(
      documents.collection(scopedArtifacts),
      fingerprints.map((fingerprint) => scopedId(scope, fingerprint)),
    ),
  ]);
  const artifactsOfFlow = [...first.values()].filter((artifact) => artifact.flow === flow);
  return new Set([...artifactsOfFlow, ...further.values()].map(({ fingerprint }) => fingerprint));
}

/** Of these artifacts. One that the view does not have has no bill of materials. */
export async function countUnjudgedAmong(
  documents: Documents,
  org: string,
  fingerprints: readonly string[],
): Promise<UnjudgeableArtifacts> {
  let [withoutSbom, incompleteSbom, unmatchedComponents] = [0, 0, 0];
  for (const group of batches(removeDuplicates(fingerprints))) {
    const ids = group.map((fingerprint) => artifactId(org, fingerprint));
    const artifacts = await documents.collection(countedArtifacts).getMany(ids);
    for (const id of ids) {
      const { sbom: state = 'none', unmatched } = artifacts.get(id) ?? {};
      unmatchedComponents += unmatched ?? 0;
      if (WITHOUT.includes(state)) withoutSbom += 1;
      else if (state === 'cut') incompleteSbom += 1;
    }
  }
  return { withoutSbom, incompleteSbom, unmatchedComponents };
}

/** The names by which VEX statements know artifacts, from their bills of materials; by fingerprint, only of artifacts that have any. */
export async function rootsOf(
  documents: Documents,
  org: string,
  fingerprints: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const roots = new Map<string, readonly string[]>();
  for (const group of batches(removeDuplicates(fingerprints))) {
    const ids = group.map((fingerprint) => artifactId(org, fingerprint));
    for (const { fingerprint, sboms } of (await documents.collection(countedArtifacts).getMany(ids)).values()) {
      const own = sboms.flatMap((sbom) => sbom.roots);
      if (own.length > 0) roots.set(fingerprint, own);
    }
  }
  return roots;
}
