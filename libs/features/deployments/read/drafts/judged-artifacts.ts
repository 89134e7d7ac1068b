import { type Environment, running } from '@assurance/contracts/environments/documents';
import { orderBy } from '@assurance/contracts/events/aggregate';
import type { PageEnds } from '@assurance/event-sourcing/projection/cursor-page';
import type { PageRequest } from '@assurance/event-sourcing/projection/listing';
import { Slices } from '@assurance/kernel';
import type { JudgedArtifact } from '@assurance/policies/domain/judge';
import type { Documents } from '@assurance/storage-ports';
import { listDeployments } from '../deployments/list';

export const ENVIRONMENTS_MAX = 50;
/** The most artifacts that are judged. An artifact counts once for each environment. */
const ARTIFACTS_MAX = 2_000;
/** The most deployments that are read. */
const DEPLOYMENTS_MAX = 5_000;
const PIECE = 500;

/** An artifact of an environment that runs there or was deployed there. */
export interface Candidate {
  readonly environment: Environment;
  readonly artifact: JudgedArtifact;
  readonly running: boolean;
  /** The time of the newest deployment in the window (epoch seconds), or null if there is none. */
  deployedAt: number | null;
}

/** How many artifacts and deployments are not judged. */
export interface UnjudgedCounts {
  /** Running artifacts. */
  readonly running: number;
  readonly deployments: number;
}

/**
 * Returns the artifacts that run in environments, and then the artifacts that were deployed there in a window, newest first in each environment.
 *
 * @param view the documents of the deployments view
 */
export async function judgedArtifacts(
  { documents, view }: { readonly documents: Documents; readonly view: Documents },
  org: string,
  environments: readonly Environment[],
  window: { readonly start: number; readonly end: number },
): Promise<{ readonly items: readonly Candidate[]; readonly left: UnjudgedCounts }> {
  const items: Candidate[] = [];
  let leftOut = 0;
  for (const environment of environments) {
    const artifacts = await runningIn(documents, environment, ARTIFACTS_MAX - items.length);
    for (const artifact of artifacts) items.push({ environment, artifact, running: true, deployedAt: null });
    if (items.length === ARTIFACTS_MAX) leftOut += Math.max(0, environment.artifacts - artifacts.length);
  }
  const byKey = new Map(items.map((one) => [keyOf(one.environment, one.artifact.fingerprint), one]));
  const slices = new Slices();
  let [read, deployments] = [0, 0];
  for (const environment of environments) {
    const filter = { org, repos: null, environments: [environment.id], ...window };
    for (let page: PageRequest | null = firstPage(DEPLOYMENTS_MAX - read); page !== null;) {
      await slices.pause();
      const { rows, count, last, more } = await listDeployments(view, filter, page);
      if (page.cursor === null) deployments += count;
      read += rows.length;
      for (const { fingerprint, name, deployedAt } of rows) {
        const runningCandidate = byKey.get(keyOf(environment, fingerprint));
        if (runningCandidate === undefined && items.length === ARTIFACTS_MAX) continue;
        deployments -= 1;
        if (runningCandidate !== undefined) runningCandidate.deployedAt ??= deployedAt;
        else {
          const candidate: Candidate = { environment, artifact: { fingerprint, name }, running: false, deployedAt };
          byKey.set(keyOf(environment, fingerprint), candidate);
          items.push(candidate);
        }
      }
      page = more && last !== null ? nextPage(last, DEPLOYMENTS_MAX - read) : null;
    }
  }
  return { items, left: { running: leftOut, deployments } };
}

async function runningIn(
  documents: Documents,
  { id: environment }: Environment,
  most: number,
): Promise<readonly JudgedArtifact[]> {
  const artifacts: JudgedArtifact[] = [];
  const slices = new Slices();
  while (artifacts.length < most) {
    await slices.pause();
    const limit = Math.min(PIECE, most - artifacts.length);
    const order = orderBy('fingerprint', 'name');
    const page = await documents
      .collection(running)
      .find({ where: { environment }, order, skip: artifacts.length, limit });
    for (const { doc } of page) artifacts.push({ fingerprint: doc.fingerprint, name: doc.name });
    if (page.length < limit) break;
  }
  return artifacts;
}

const keyOf = ({ id }: Environment, fingerprint: string) => `${id}/${fingerprint}`;

function firstPage(most: number): PageRequest {
  return { page: 1, perPage: Math.min(PIECE, most), cursor: null };
}

function nextPage(key: NonNullable<PageEnds['last']>, most: number): PageRequest | null {
  return most === 0 ? null : { page: 1, perPage: Math.min(PIECE, most), cursor: { side: 'after', key } };
}
