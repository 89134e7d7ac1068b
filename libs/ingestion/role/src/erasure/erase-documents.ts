import { type Aggregate, type DomainEvent, keyOf, kindOf } from '@assurance/contracts-events';
import { parkedStreams, storageUsage } from '@assurance/http';
import { apiKeys, deliveries, environmentActivity, followedStreams, keyUses, secrets } from '@assurance/model';
import { changes } from '@assurance/readers';
import { judgingItems } from '@assurance/work-queue';
import { type CollectionDefinition, type Engines, type Part, scanPages } from '@assurance/storage-ports';
import { commitsOf, eventsOf } from '@assurance/storage-records';
import { aggregates } from '../aggregates';
import { progress } from '../retention/place';
import { StreamReplay } from '../core/stream-replay';
import { namedBlobs } from '../sweep/round';

const PAGE = 500;

/** Removes the documents of one organization. Again it removes what a killed process left. */
export class EraseDocuments {
  constructor(
    private readonly engines: Pick<Engines, 'events' | 'documents'>,
    private readonly org: string,
  ) {}

  /** The aggregate state of a stream and all documents that its commits ever wrote: folding the stream again tells which. */
  async ofStream(stream: string): Promise<void> {
    const aggregate = aggregates.get(kindOf(stream)) as Aggregate<object, DomainEvent>;
    const { documents, events } = this.engines;
    const forget = {
      writeInOrder: (steps: readonly (readonly Part[])[]) => documents.writeInOrder(steps.map(forgotten)),
    };
    const replay = new StreamReplay(forget, aggregate, null);
    for await (const commit of commitsOf(events, stream)) await replay.apply(commit, await eventsOf(events, commit));
    await replay.write(stream);
    await this.forget(followedStreams, [stream]);
    if (kindOf(stream) === 'environment') {
      await this.forget(environmentActivity, [keyOf(stream)]);
      await this.forget(judgingItems, [keyOf(stream)]);
    }
  }

  /** Documents that no commit wrote. */
  async others(): Promise<void> {
    const { org } = this;
    for (const one of [storageUsage, progress, changes]) await this.forget(one, [org]);
    await this.where(secrets, (_, doc) => doc.org === org);
    await this.where(deliveries, (_, doc) => doc.org === org);
    await this.where(namedBlobs, (id) => id.endsWith(`/${org}`));
    await this.where(parkedStreams, (_, { stream }) => stream.includes(`/${org}/`));
  }

  private async where<T extends object>(
    definition: CollectionDefinition<T>,
    isOwn: (id: string, doc: T) => boolean,
  ): Promise<void> {
    for await (const page of scanPages(this.engines.documents.collection(definition), PAGE)) {
      const own = page.filter(({ id, doc }) => isOwn(id, doc)).map(({ id }) => id);
      if (own.length > 0) await this.forget(definition, own);
    }
  }

  private forget(definition: CollectionDefinition<object>, ids: readonly string[]): Promise<void> {
    return this.engines.documents.collection(definition).write(ids.map((id) => ({ kind: 'forget', id })));
  }
}

/** The same documents, removed; with a key the note of its uses. */
function forgotten(parts: readonly Part[]): Part[] {
  return parts.flatMap(({ collection, writes }) => {
    const gone = writes.map(({ id }) => ({ kind: 'forget', id }) as const);
    const own = { collection, writes: gone };
    return collection.name === apiKeys.name ? [own, { collection: keyUses, writes: gone }] : [own];
  });
}
