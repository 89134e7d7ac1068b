import type { Documents, Found } from '@assurance/storage-ports';
import { foundPages } from '@assurance/storage-ports';
import { type DeploymentRow, deployments } from './rows';

/** Mostly the first one is what is looked for. */
const PIECE = 20;

/** Deployments of a base name to an environment in some snapshots, both ends included: newest start first, then by fingerprint. */
export async function* newestStarts(
  documents: Documents,
  environment: string,
  base: string,
  { from, to }: { readonly from: number; readonly to: number },
): AsyncGenerator<Found<DeploymentRow>> {
  if (from > to) return;
  const query = {
    where: { environment, base, snapshot: { gte: from, lte: to } },
    order: [['snapshot', 'desc']] as const,
  };
  let together: Found<DeploymentRow>[] = [];
  // Rows come and never go, and those of earlier snapshots are written.
  for await (const found of foundPages(documents.collection<DeploymentRow>(deployments), query, PIECE)) {
    for (const one of found) {
      if (together[0] !== undefined && together[0].doc.snapshot !== one.doc.snapshot) {
        yield* together.sort(byStart);
        together = [];
      }
      together.push(one);
    }
  }
  yield* together.sort(byStart);
}

/** Newest start first, then by fingerprint. */
export function byStart({ doc: a }: Found<DeploymentRow>, { doc: b }: Found<DeploymentRow>): number {
  return b.snapshot - a.snapshot || b.deployedAt - a.deployedAt || (a.fingerprint < b.fingerprint ? -1 : 1);
}
