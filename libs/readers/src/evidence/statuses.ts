import { orderBy, streams } from '@assurance/contracts-events';
import { provenances, type ReportedArtifact, type Trail, type TrailStatus, trailStatus } from '@assurance/model';
import type { Documents } from '@assurance/storage-ports';
import { attestedIn } from './attested';
import { templatesOf } from './templates';

/** The most artifacts of a trail that are judged: the newest. */
const ARTIFACTS_MAX = 1_000;
/** How many trails' artifacts are read at once. */
const TOGETHER = 16;

/** Trails against their templates, by the artifacts that were reported and by what was attested in them. */
export async function statusesOf(
  documents: Documents,
  trails: readonly Trail[],
): Promise<(trail: Trail) => TrailStatus> {
  const templateOf = await templatesOf(
    documents,
    trails.map(({ templateId }) => templateId),
  );
  const attested = await attestedIn(documents, trails.map(streamOf));
  const reported = new Map<string, ReportedArtifact[]>();
  for (let i = 0; i < trails.length; i += TOGETHER) {
    const some = trails.slice(i, i + TOGETHER).map(streamOf);
    await Promise.all(some.map(async (stream) => reported.set(stream, await reportedIn(documents, stream))));
  }
  return (trail) => {
    const stream = streamOf(trail);
    return trailStatus(templateOf(trail.templateId), reported.get(stream) ?? [], attested.get(stream) ?? []);
  };
}

async function reportedIn(documents: Documents, stream: string): Promise<ReportedArtifact[]> {
  const found = await documents.collection(provenances).find({
    where: { stream },
    order: orderBy('-first.reportedAt'),
    limit: ARTIFACTS_MAX,
  });
  return found.map(({ doc: { fingerprint, first } }) => {
    const { artifactId, template, gitCommit } = first;
    return { fingerprint, artifactId, template, gitCommit };
  });
}

function streamOf({ flow, name }: Trail): string {
  return streams.trail(flow.id, name);
}
