import { startDocuments, type StartDocument } from '@assurance/contracts/environments/documents';
import type { ArtifactKey } from '@assurance/contracts/environments/events';
import { orderBy } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import type { Repo } from '@assurance/contracts/flows/documents';
import type { Provenance } from '@assurance/contracts/flows/events';
import type { ProvenanceDocument } from '@assurance/flows/domain/provenance';
import { repo as repos } from '@assurance/flows/domain/repo';
import { reportsByFingerprint } from '@assurance/flows/lookups/reports-by-fingerprint';
import { pieces, Slices } from '@assurance/kernel';
import { type Documents, getAll } from '@assurance/storage-ports';
import type { ReportFacts } from '../../domain/facts';
import { requiredStarts } from '../../domain/kinds';

/** How many starts are looked through for the one that ran most recently. */
const RAN_MAX = 50;
/** How many look-ups one command makes at once. */
const LOOKUPS = 64;

/** The provenance of fingerprints. */
export interface ProvenanceLookup {
  readonly reports: readonly ProvenanceDocument[];
  /** First report first. */
  provenanceOf(fingerprint: string): readonly Provenance[];
}

/** The provenance of fingerprints. Read this after the stream of the environment (write first, read second). */
export async function readProvenance(
  documents: Documents,
  org: string,
  fingerprints: Iterable<string>,
): Promise<ProvenanceLookup> {
  const requested = new Set(fingerprints);
  requested.delete('');
  const reports = await reportsByFingerprint(documents, org, requested);
  const reported = [...reports].map(([fingerprint, all]) => [fingerprint, all.map(({ first }) => first)] as const);
  const repoIds = reported.flatMap(([, all]) => all.map(({ repo }) => repo?.id ?? null));
  const current = await joinedRepos(documents, repoIds);
  const ofCurrentRepo = (from: Provenance): Provenance => {
    const id = from.repo === null ? null : current(from.repo.id);
    return from.repo === null || id === null || id === from.repo.id ? from : { ...from, repo: { ...from.repo, id } };
  };
  const provenance = new Map(reported.map(([fingerprint, all]) => [fingerprint, all.map(ofCurrentRepo)]));
  return {
    reports: [...reports.values()].flat(),
    provenanceOf: (fingerprint) => provenance.get(fingerprint) ?? [],
  };
}

/**
 * Artifacts that ran in an environment before some others started. Read them after the environment's own stream.
 *
 * @param changed each with the snapshot in which it started
 */
export async function readPreviousStarts(
  documents: Documents,
  environment: string,
  changed: readonly { readonly fingerprint: string; readonly since: number }[],
  { provenanceOf }: ProvenanceLookup,
): Promise<ReportFacts['ranBefore']> {
  const places = new Map<string, { flow: string; template: string; before: number }>();
  for (const { fingerprint, since } of changed) {
    for (const { flow, template } of provenanceOf(fingerprint)) {
      if (template !== null)
        places.set(`${flow.id}\n${template}\n${since}`, { flow: flow.id, template, before: since });
    }
  }
  const before = await lookUp(new Set(places.keys()), (key) => {
    const place = places.get(key);
    return place === undefined ? Promise.resolve([]) : ranBefore(documents, environment, place);
  });
  const current = await joinedRepos(
    documents,
    [...before.values()].flatMap((all) => all.map(({ repo }) => repo)),
  );
  const currentStarts = new Map(
    [...before].map(([key, all]) => [key, all.map((start) => ({ ...start, repo: current(start.repo) }))] as const),
  );
  return (flow, template, snapshot) => currentStarts.get(`${flow}\n${template}\n${snapshot}`) ?? [];
}

/**
 * The first starts in an environment that tell the kinds of deployments. They are read where more starts under a template than `ranBefore` looks
 * through may have been: two small reads an artifact.
 */
export async function readFirstStarts(
  documents: Documents,
  environment: string,
  started: readonly ArtifactKey[],
  snapshot: number,
  facts: Pick<ReportFacts, 'provenanceOf' | 'ranBefore'>,
): Promise<ReportFacts['firstStart']> {
  const required = requiredStarts(facts, started, snapshot);
  const many = [...required].flatMap(([fingerprint, all]) => (all.length < RAN_MAX ? [] : [fingerprint]));
  const read = await lookUp(new Set(many), async (fingerprint) => {
    const where = { environment, fingerprint, since: { lte: snapshot - 1 } };
    const [first] = await documents
      .collection<StartDocument>(startDocuments)
      .find({ where, order: orderBy('since'), limit: 1 });
    return first?.doc.since ?? null;
  });
  return (fingerprint) => {
    if (read.has(fingerprint)) return read.get(fingerprint);
    return (
      required.get(fingerprint)?.findLast((start) => start.fingerprint === fingerprint)?.since ??
      (required.has(fingerprint) ? null : undefined)
    );
  };
}

async function ranBefore(
  documents: Documents,
  environment: string,
  { flow, template, before }: { flow: string; template: string; before: number },
): Promise<StartDocument[]> {
  const results = await documents.collection<StartDocument>(startDocuments).find({
    where: { environment, flow, template, since: { lte: before - 1 } },
    order: orderBy('-since', 'fingerprint'),
    limit: RAN_MAX,
  });
  return results.map(({ doc }) => doc);
}

/** The repository into which each of these was joined, or the repository itself. Events and documents keep the reported id. */
async function joinedRepos(
  documents: Documents,
  ids: readonly (string | null)[],
): Promise<(id: string | null) => string | null> {
  const distinct = [...new Set(ids)].flatMap((id) => (id === null ? [] : [streams.repo(id)]));
  const states = distinct.length === 0 ? null : await getAll<Repo>(documents.collection(repos.states), distinct);
  return (id) => (id === null ? null : (states?.get(streams.repo(id))?.joined ?? id));
}

/** Looks up each key, a bounded number at once. */
async function lookUp<T>(keys: ReadonlySet<string>, read: (key: string) => Promise<T>): Promise<Map<string, T>> {
  const results = new Map<string, T>();
  const slices = new Slices();
  for (const some of pieces([...keys], LOOKUPS)) {
    await slices.pause();
    await Promise.all(some.map(async (key) => results.set(key, await read(key))));
  }
  return results;
}
