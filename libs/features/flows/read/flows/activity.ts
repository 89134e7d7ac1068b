import { type CollectionShape, index } from '@assurance/contracts/events/aggregate';
import type { EventMeta } from '@assurance/contracts/events/event';
import { tagsAfter } from '@assurance/contracts/events/naming';
import { keyOf, kindOf } from '@assurance/contracts/events/streams';
import type { AttestationPayloadKept, ComponentsListed, FindingsListed } from '@assurance/contracts/evidence/events';
import type { ArtifactEvent, FlowEvent, TrailEvent } from '@assurance/contracts/flows/events';
import { batches } from '@assurance/event-sourcing/projection/batches';
import type { RecordedEvent, View } from '@assurance/event-sourcing/projection/view';
import { groupBy } from '@assurance/kernel';
import type { Documents } from '@assurance/storage-ports';

/** The latest activity in a flow. The document has the id of the flow. */
export interface FlowActivityRow {
  readonly org: string;
  /** The current name; null until the view has received the flow's own events. */
  readonly name: string | null;
  readonly archived: boolean;
  /** Id of the space that it was moved to. Missing if it was never moved. */
  readonly space?: string;
  /** Missing if it never had a tag. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Seq of the newest event of the flow's own stream that the view has received. */
  readonly seq?: number;
  /** Integer milliseconds: the newest event of the flow, its trails and its artifacts. */
  readonly latestActivityAt: number;
  /** The trail with the latest activity. Missing if the flow has no trail. */
  readonly latestTrail?: { readonly stream: string; /** Integer milliseconds. */ readonly at: number };
}

export const flowActivity: CollectionShape<FlowActivityRow> = {
  name: 'view_flow_activity',
  deferred: 'first',
  indexes: [
    index('by_name', 'org', 'archived', 'name'),
    index('by_activity', 'org', 'archived', 'latestActivityAt', 'name'),
  ],
};

type FollowedEvent =
  FlowEvent | Exclude<TrailEvent, AttestationPayloadKept | ComponentsListed | FindingsListed> | ArtifactEvent;

/** Flows by name and by latest activity. */
export const flowActivityView: View = {
  name: 'flow-activity',
  version: 3,
  collections: [flowActivity],
  kinds: new Set(['flow', 'trail', 'artifact']),
  types: new Set<FollowedEvent['type']>([
    'FlowCreated',
    'FlowUpdated',
    'FlowArchived',
    'FlowRevived',
    'FlowRenamed',
    'FlowTagged',
    'FlowMoved',
    'TrailBegun',
    'TrailUpdated',
    'ArtifactReported',
    'AttestationReported',
  ]),
  take: (documents, recorded) => follow(documents, recorded as readonly RecordedEvent<FollowedEvent>[]),
};

/**
 * Times only ever grow. Name and archive depend only on the flow's own stream, in which only newer events count. So streams may arrive in any order,
 * and events may arrive again.
 */
async function follow(documents: Documents, recordedEvents: readonly RecordedEvent<FollowedEvent>[]): Promise<void> {
  const byFlow = groupBy(recordedEvents, ({ meta }) => flowOf(meta));
  for (const ids of batches([...byFlow.keys()])) {
    await documents
      .collection(flowActivity)
      .merge(
        ids,
        (current, id) => (byFlow.get(id) ?? []).reduce<FlowActivityRow | null>(rowAfterEvent, current) ?? undefined,
      );
  }
}

function flowOf({ stream }: EventMeta): string {
  const key = keyOf(stream);
  return kindOf(stream) === 'flow' ? key : (key.split('/')[0] ?? key);
}

function rowAfterEvent(
  current: FlowActivityRow | null,
  { event, meta }: RecordedEvent<FollowedEvent>,
): FlowActivityRow {
  const { org, stream, seq, at } = meta;
  const row = current ?? { org, name: null, archived: false, latestActivityAt: at };
  const newer = kindOf(stream) === 'flow' && seq >= (row.seq ?? 0) ? { ...flowFieldsOf(event, row), seq } : {};
  const trail = kindOf(stream) === 'trail' ? { latestTrail: laterTrail(row.latestTrail, { stream, at }) } : {};
  return { ...row, ...newer, ...trail, latestActivityAt: Math.max(row.latestActivityAt, at) };
}

type LatestTrail = NonNullable<FlowActivityRow['latestTrail']>;

/** Returns the later trail. At the same time, the last stream wins, so that the order of delivery does not matter. */
function laterTrail(a: LatestTrail | undefined, b: LatestTrail): LatestTrail {
  if (a === undefined || a.at < b.at) return b;
  return a.at === b.at && a.stream < b.stream ? b : a;
}

function flowFieldsOf(event: FollowedEvent, { tags = {} }: FlowActivityRow): Partial<FlowActivityRow> {
  switch (event.type) {
    case 'FlowCreated':
    case 'FlowRenamed':
      return { name: event.data.name };
    case 'FlowArchived':
      return { archived: true };
    case 'FlowRevived':
      return { archived: false };
    case 'FlowMoved':
      return { space: event.data.space };
    case 'FlowTagged':
      return { tags: tagsAfter(tags, event.data) };
    case 'FlowUpdated':
    case 'TrailBegun':
    case 'TrailUpdated':
    case 'ArtifactReported':
    case 'AttestationReported':
      return {};
  }
}
