import { startDocuments, running } from '@assurance/contracts/environments/documents';
import { orderBy } from '@assurance/contracts/events/aggregate';
import { provenances } from '@assurance/flows/domain/provenance';
import { policyAttachments } from '@assurance/policies/domain/policy-uses';
import { type Collection, type Documents, findPages, type Query } from '@assurance/storage-ports';
/** How many documents a read brings at once. */
const PAGE = 1000;
/** How many fingerprints are looked for together. */
const GROUP = 100;

/** An artifact that runs somewhere. */
export interface RunningPlace {
  readonly environment: string;
  readonly fingerprint: string;
}

/** Where some fingerprints run. */
export async function runningIn(
  documents: Documents,
  org: string,
  fingerprints: readonly string[],
): Promise<RunningPlace[]> {
  const places: RunningPlace[] = [];
  for (let i = 0; i < fingerprints.length; i += GROUP) {
    const group = fingerprints.slice(i, i + GROUP);
    places.push(...(await byEnvironment(documents.collection(running), { org, fingerprint: { in: group } })));
  }
  return places;
}

/** The running artifacts of a flow with their environments. */
export function runningFrom(documents: Documents, flow: string): Promise<RunningPlace[]> {
  return byEnvironment(documents.collection(startDocuments), { flow, until: null });
}

/** Ids of the environments that a policy is attached to. */
export async function environmentsWithPolicy(documents: Documents, policy: string): Promise<string[]> {
  const places = await byEnvironment(documents.collection(policyAttachments), { policy });
  return places.map(({ environment }) => environment);
}

/** The fingerprints that a trail reported. */
export async function fingerprintsOfTrail(documents: Documents, stream: string): Promise<string[]> {
  const results = new Set<string>();
  const query = { where: { stream }, order: orderBy('-first.reportedAt') };
  for await (const page of findPages(documents.collection(provenances), query, PAGE)) {
    for (const { doc } of page) results.add(doc.fingerprint);
  }
  return [...results];
}

/** All that a query finds, by environment: by key, not by position, since documents come and go meanwhile. */
async function byEnvironment<T extends { readonly environment: string; readonly fingerprint?: string }>(
  collection: Collection<T>,
  where: Query['where'],
): Promise<RunningPlace[]> {
  const results = new Map<string, RunningPlace>();
  for (let from = '', skip = 0; ;) {
    const page = await collection.find({
      where: { ...where, environment: { gte: from } },
      order: orderBy('environment'),
      skip,
      limit: PAGE,
    });
    for (const { doc } of page) {
      const fingerprint = doc.fingerprint ?? '';
      results.set(`${doc.environment}/${fingerprint}`, { environment: doc.environment, fingerprint });
    }
    const last = page.at(-1)?.doc.environment;
    if (page.length < PAGE || last === undefined) return [...results.values()];
    skip = last === from ? skip + PAGE : page.filter(({ doc }) => doc.environment === last).length;
    from = last;
  }
}
