import { orderBy } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import { groupBy, pause, pieces } from '@assurance/kernel';
import type { Documents } from '@assurance/storage-ports';
import { type ReportedArtifact, type TrailStatus, trailStatus } from '../domain/compliance';
import { type ProvenanceDocument, provenances } from '../domain/provenance';
import type { Trail } from '../domain/trail';
import { readAttestations } from './attestations';
import { templatesOf } from './templates';

/** The most artifacts of a trail that are evaluated: the newest ones. */
const ARTIFACTS_MAX = 1_000;
/** For how many trails artifacts are read at once. */
const TOGETHER = 32;

/** Compares trails with their templates, by their reported artifacts and attestations. */
export async function statusesOf(
  documents: Documents,
  trails: readonly Trail[],
): Promise<(trail: Trail) => TrailStatus> {
  const templateOf = await templatesOf(
    documents,
    trails.map(({ templateId }) => templateId),
  );
  const attestationsByTrail = await readAttestations(documents, trails.map(streamOf));
  const artifactsByTrail = new Map<string, readonly ReportedArtifact[]>();
  for (const group of pieces(trails.map(streamOf), TOGETHER)) {
    await pause();
    for (const [stream, artifacts] of await reportedArtifactsOf(documents, group))
      artifactsByTrail.set(stream, artifacts);
  }
  return (trail) => {
    const stream = streamOf(trail);
    return trailStatus(
      templateOf(trail.templateId),
      artifactsByTrail.get(stream) ?? [],
      attestationsByTrail.get(stream) ?? [],
    );
  };
}

/** Returns the newest artifacts of each stream. It reads all at once, unless they have too many together. */
async function reportedArtifactsOf(
  documents: Documents,
  group: readonly string[],
): Promise<ReadonlyMap<string, readonly ReportedArtifact[]>> {
  const results = await documents.collection(provenances).find({
    where: { stream: { in: group } },
    order: orderBy('-first.reportedAt'),
    limit: ARTIFACTS_MAX,
  });
  if (results.length === ARTIFACTS_MAX && group.length > 1) {
    const half = Math.ceil(group.length / 2);
    const halves = [group.slice(0, half), group.slice(half)];
    return new Map(
      (await Promise.all(halves.map((candidate) => reportedArtifactsOf(documents, candidate)))).flatMap((candidate) => [
        ...candidate,
      ]),
    );
  }
  const byStream = groupBy(results, ({ doc }) => doc.stream);
  return new Map([...byStream].map(([stream, all]) => [stream, all.map(({ doc }) => reportedOf(doc))]));
}

function reportedOf({ fingerprint, first }: ProvenanceDocument): ReportedArtifact {
  const { artifactId, template, gitCommit } = first;
  return { fingerprint, artifactId, template, gitCommit };
}

function streamOf({ flow, name }: Trail): string {
  return streams.trail(flow.id, name);
}
