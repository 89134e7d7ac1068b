import { kindOf, streams } from '@assurance/contracts-events';
import { flow as flows, provenances, type Trail, trail as trails } from '@assurance/model-flow';
import type { Condition, Documents } from '@assurance/storage-ports';
import type { PageRequest } from '../pages';

const PIECE = 500;

export interface TrailFilter {
  readonly org: string;
  /** Id of a flow. */
  readonly flow?: string;
  readonly fingerprint?: string;
  /** Key and value of a tag of the trail's flow. */
  readonly flowTag?: readonly [key: string, value: string];
}

export interface TrailsFound {
  readonly trails: readonly Trail[];
  readonly count: number;
}

/** One page of trails, newest first, and how many there are (WIRE 8.2). */
export async function listTrails(documents: Documents, filter: TrailFilter, page: PageRequest): Promise<TrailsFound> {
  const { org, flow, fingerprint, flowTag } = filter;
  const tagged = flowTag === undefined ? null : await flowsTagged(documents, org, flowTag);
  const wanted = flow === undefined ? tagged : tagged === null || tagged.includes(flow) ? [flow] : [];
  if (wanted?.length === 0) return { trails: [], count: 0 };
  if (fingerprint !== undefined) return withArtifact(documents, org, fingerprint, wanted, page);
  const [only] = wanted ?? [];
  const where: Record<string, Condition> =
    wanted === null ? { org } : { 'flow.id': wanted.length === 1 && only !== undefined ? only : { in: wanted } };
  const found = await documents.collection(trails.heads).find({
    where,
    order: [
      ['createdAt', 'desc'],
      ['name', 'asc'],
    ],
    skip: (page.page - 1) * page.perPage,
    limit: page.perPage,
  });
  return { trails: found.map(({ doc }) => doc), count: await documents.collection(trails.heads).count(where) };
}

/** Trails in which an artifact was reported: it is known in few, so they are sorted here. */
async function withArtifact(
  documents: Documents,
  org: string,
  fingerprint: string,
  wanted: readonly string[] | null,
  { page, perPage }: PageRequest,
): Promise<TrailsFound> {
  const found: Trail[] = [];
  for (let skip = 0; ; skip += PIECE) {
    const known = await documents.collection(provenances).find({
      where: { org, fingerprint },
      order: [
        ['first.reportedAt', 'asc'],
        ['first.artifactId', 'asc'],
      ],
      skip,
      limit: PIECE,
    });
    const ids = known.flatMap(({ doc: { stream, first } }) =>
      kindOf(stream) === trails.kind && wanted?.includes(first.flow.id) !== false ? [stream] : [],
    );
    found.push(...(await documents.collection(trails.heads).getMany(ids)).values());
    if (known.length < PIECE) break;
  }
  found.sort((a, b) => b.createdAt - a.createdAt || (a.name < b.name ? -1 : 1));
  return { trails: found.slice((page - 1) * perPage, page * perPage), count: found.length };
}

/** Ids of the flows that have a tag. */
async function flowsTagged(documents: Documents, org: string, [key, value]: readonly [string, string]) {
  const ids: string[] = [];
  for (let skip = 0; ; skip += PIECE) {
    const found = await documents.collection(flows.heads).find({ where: { org }, skip, limit: PIECE });
    for (const { doc } of found) if (Object.hasOwn(doc.tags, key) && doc.tags[key] === value) ids.push(doc.id);
    if (found.length < PIECE) return ids;
  }
}

/** Flows by id. */
export async function flowsById(documents: Documents, ids: readonly string[]) {
  const found = await documents.collection(flows.heads).getMany([...new Set(ids)].map(streams.flow));
  return new Map([...found.values()].map((head) => [head.id, head]));
}
