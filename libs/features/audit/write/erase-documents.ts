import { apiKeys, keyUses } from '@assurance/access/domain/keys';
import type { ApiKey } from '@assurance/contracts/access/events';
import { type Aggregate, UnexpectedEvent } from '@assurance/contracts/events/aggregate';
import type { DomainEvent } from '@assurance/contracts/events/event';
import { keyOf, kindOf } from '@assurance/contracts/events/streams';
import type { ChannelTarget } from '@assurance/contracts/notifications/events';
import { environmentActivity } from '@assurance/environments/domain/reports';
import { judgingItems } from '@assurance/environments/judging/judging-queue';
import { StreamReplay } from '@assurance/event-sourcing/command/stream-replay';
import { isErasedMark, parkedStreams } from '@assurance/event-sourcing/feed/parked-streams';
import { changes } from '@assurance/event-sourcing/projection/changes';
import { dueCommits, dueOrganizations } from '@assurance/event-sourcing/projection/due-commits';
import { liveCheckpoints } from '@assurance/event-sourcing/projection/view-checkpoints';
import { BrokenRecord, commitsOf, foldedEventsOf } from '@assurance/event-sourcing/sealing/read';
import { storageUsage } from '@assurance/http/storage-usage';
import { destinationItems, mailItems } from '@assurance/notifications/dispatch/destination-queue';
import { deliveries } from '@assurance/notifications/domain/delivery';
import { followedStreams } from '@assurance/notifications/domain/followed';
import { targetHealth } from '@assurance/notifications/domain/health';
import { keyNotices } from '@assurance/notifications/domain/key-expiry';
import { secrets } from '@assurance/notifications/domain/secret';
import { type CollectionDefinition, type Engines, type Part, scanPages } from '@assurance/storage-ports';
import { exposureItems } from '@assurance/vulnerabilities/write/exposure-worker';
import { graceEnds } from '@assurance/vulnerabilities/write/grace-ends';
import { aggregates } from '../domain/aggregates';
import { progress } from './place';
import { blobMarks } from './sweep/sweep-round';

const PAGE = 500;
/** Collections of due work for environments. The ids are those of the environments. */
const WORK_OF_ENVIRONMENTS: readonly CollectionDefinition<{ readonly org: string }>[] = [
  judgingItems,
  exposureItems,
  graceEnds,
];

/** Removes the documents of one organization. A repetition removes documents that a killed process left. */
export class EraseDocuments {
  constructor(
    private readonly engines: Pick<Engines, 'events' | 'documents'>,
    private readonly org: string,
  ) {}

  /**
   * Removes the aggregate state of a stream and all documents that its commits ever wrote. It finds them by folding the stream again. Call it for
   * every stream before the first one is removed, because removing a stream also removes data that other streams share.
   */
  async eraseOfStream(stream: string): Promise<void> {
    const aggregate = aggregates.get(kindOf(stream)) as Aggregate<object, DomainEvent>;
    const { documents, events } = this.engines;
    const forget = {
      writeInOrder: (steps: readonly (readonly Part[])[]) => documents.writeInOrder(steps.map(removalsOf)),
    };
    const replay = new StreamReplay(forget, aggregate, null);
    const targets = new Set<string>();
    const keys = new Set<string>();
    try {
      for await (const commit of commitsOf(events, stream)) {
        // Lists of components, which streams share, refer to no document.
        const ownEvents = await foldedEventsOf<DomainEvent>(events, commit, aggregate);
        for (const id of ownEvents.flatMap(targetsIn)) targets.add(id);
        for (const id of ownEvents.flatMap(keysIn)) keys.add(id);
        await replay.apply(commit, ownEvents);
      }
    } catch (error) {
      // Either a killed process removed data of this stream, after its documents, or a late commit follows a removed one.
      if (!(error instanceof BrokenRecord || error instanceof UnexpectedEvent)) throw error;
    }
    await replay.write(stream);
    await this.removeDocuments(aggregate.states, [stream]);
    await this.eraseOfTargets(targets);
    await this.removeDocuments(keyNotices, [...keys]);
    for (const collection of [followedStreams, liveCheckpoints]) await this.removeDocuments(collection, [stream]);
    if (kindOf(stream) === 'environment') {
      for (const collection of [environmentActivity, ...WORK_OF_ENVIRONMENTS])
        await this.removeDocuments(collection, [keyOf(stream)]);
    }
  }

  /** Removes documents that no commit wrote. Call it after the streams are removed. */
  async eraseOthers(): Promise<void> {
    const { org } = this;
    for (const item of [storageUsage, progress, changes]) await this.removeDocuments(item, [org]);
    await this.eraseWhere(secrets, (_, doc) => doc.org === org);
    await this.eraseWhere(deliveries, (_, doc) => doc.org === org);
    await this.eraseWhere(blobMarks, (id) => id.endsWith(`/${org}`));
    // A running worker may have written these documents again.
    for (const work of [...WORK_OF_ENVIRONMENTS, dueCommits, dueOrganizations])
      await this.eraseWhere<{ readonly org: string }>(work, (_, doc) => doc.org === org);
    for (const queue of [destinationItems, mailItems]) await this.eraseWhere(queue, (id) => id.startsWith(`${org}/`));
    // The stream is gone, so its parked commits need no replay.
    await this.eraseWhere(
      parkedStreams,
      async (_, doc) => !isErasedMark(doc) && (await this.engines.events.newest(doc.stream)) === null,
    );
  }

  /** Removes the health of notification targets, and the work items of their destinations. */
  private async eraseOfTargets(targets: ReadonlySet<string>): Promise<void> {
    if (targets.size === 0) return;
    const isOfOrganization = (id: string) => id.split('/').some((part) => targets.has(part));
    const places: readonly CollectionDefinition<object>[] = [targetHealth, destinationItems, mailItems];
    for (const place of places) await this.eraseWhere(place, isOfOrganization);
  }

  private async eraseWhere<T extends object>(
    definition: CollectionDefinition<T>,
    isOwn: (id: string, doc: T) => boolean | Promise<boolean>,
  ): Promise<void> {
    for await (const page of scanPages(this.engines.documents.collection(definition), PAGE)) {
      const ids: string[] = [];
      for (const { id, doc } of page) if (await isOwn(id, doc)) ids.push(id);
      if (ids.length > 0) await this.removeDocuments(definition, ids);
    }
  }

  private removeDocuments(definition: CollectionDefinition<object>, ids: readonly string[]): Promise<void> {
    return this.engines.documents.collection(definition).write(ids.map((id) => ({ kind: 'forget', id })));
  }
}

/** Ids of the targets in an event of a notification or of a target configuration. */
function targetsIn({ data }: DomainEvent): string[] {
  const { targets = [] } = (data ?? {}) as { readonly targets?: readonly Pick<ChannelTarget, 'id'>[] };
  return targets.map(({ id }) => id);
}

/** Removals of the same documents. For an API key, it also removes the record of its use. */
function removalsOf(parts: readonly Part[]): Part[] {
  return parts.flatMap(({ collection, writes }) => {
    const removals = writes.map(({ id }) => ({ kind: 'forget', id }) as const);
    const own = { collection, writes: removals };
    return collection.name === apiKeys.name ? [own, { collection: keyUses, writes: removals }] : [own];
  });
}

/** Ids of the API keys that an event adds. */
function keysIn({ type, data }: DomainEvent): string[] {
  if (type === 'ApiKeyAdded') return [(data as ApiKey).id];
  return type === 'ApiKeyRotated' ? [(data as { readonly by: ApiKey }).by.id] : [];
}
