import { startDocuments, running } from '@assurance/contracts/environments/documents';
import type { Aggregate, CollectionShape } from '@assurance/contracts/events/aggregate';
import type { DomainEvent } from '@assurance/contracts/events/event';
import { keyOf, kindOf } from '@assurance/contracts/events/streams';
import { rank, repairEpochOf } from '@assurance/event-sourcing/command/stream-replay';
import { ATTEMPTS, type Streams } from '@assurance/event-sourcing/command/streams';
import { commitsOf, eventsOf, metaOf } from '@assurance/event-sourcing/sealing/read';
import { provenances } from '@assurance/flows/domain/provenance';
import { canonicalJson, type Json } from '@assurance/kernel';
import { findPages, type Query, type Write } from '@assurance/storage-ports';

const BATCH = 500;

/** The inline projection that the events define. `doc` is null if they remove it. */
interface ExpectedProjection {
  readonly collection: CollectionShape<object>;
  readonly id: string;
  readonly doc: object | null;
  /** Seq of the newest event that wrote it. */
  readonly seq: number;
}

/** Inline projections that can be found by their stream. Those without an event are removed. */
const OWNED: Readonly<
  Record<string, (stream: string) => readonly (readonly [CollectionShape<object>, Query['where']])[]>
> = {
  environment: (stream) => [
    [running, { environment: keyOf(stream) }],
    [startDocuments, { environment: keyOf(stream) }],
  ],
  trail: (stream) => [[provenances, { stream }]],
  artifact: (stream) => [[provenances, { stream }]],
};

/**
 * Folds a stream from its first commit and writes differences in a new repair epoch. The newest commit is read last, so the compared state was not
 * behind it.
 *
 * @returns the epoch; null if nothing differed
 */
export async function repairStream(
  streams: Streams,
  aggregate: Aggregate<object, DomainEvent>,
  stream: string,
): Promise<number | null> {
  const { events, documents } = streams.engines;
  let repairedEpoch: number | null = null;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const { state, seq, projected } = await foldStream();
    const aggregateState = await streams.states(aggregate).get(stream);
    const differences = await findDifferences(projected);
    if ((await events.newest(stream))?.seq !== seq) {
      await streams.pause(attempt);
      continue;
    }
    const now = aggregateState === null ? 0 : repairEpochOf(aggregateState);
    const expectedState = { ...state, seq, fold: aggregate.schemaVersion, ...(now === 0 ? {} : { era: now }) };
    if (differences.length === 0 && isEqual(aggregateState, expectedState)) return repairedEpoch;
    // A damaged state may have an epoch that is too low, so each attempt uses a higher one.
    const repairEpoch: number = Math.max(now, repairedEpoch ?? 0) + 1;
    const all = [
      ...projected.values(),
      ...differences.filter(({ doc, id, collection }) => doc === null && !projected.has(keyText(collection, id))),
    ];
    for (const projection of all) await write(projection, repairEpoch);
    const doc = { ...state, seq, fold: aggregate.schemaVersion, era: repairEpoch };
    await streams
      .states(aggregate)
      .write([{ kind: 'forward', id: stream, seq: rank(aggregate.schemaVersion, repairEpoch, seq), doc }]);
    repairedEpoch = repairEpoch;
  }
  throw new Error(`${stream} changes too often to be compared; try again`);

  async function foldStream() {
    let [state, seq]: [object | null, number] = [null, 0];
    const projections = new Map<string, ExpectedProjection>();
    for await (const commit of commitsOf(events, stream)) {
      const meta = metaOf(commit);
      for (const event of await eventsOf(events, commit)) {
        const before: object | null = state;
        state = aggregate.evolve(before, event, meta);
        for (const inlineProjection of aggregate.inlineProjections?.(state, event, meta, before) ?? []) {
          projections.set(keyText(inlineProjection.collection, inlineProjection.id), {
            ...inlineProjection,
            seq: commit.seq,
          });
        }
      }
      seq = commit.seq;
    }
    return { state, seq, projected: projections };
  }

  /** The documents that differ from the events, and documents without an event (`doc` is null). */
  async function findDifferences(
    expectedProjections: ReadonlyMap<string, ExpectedProjection>,
  ): Promise<ExpectedProjection[]> {
    const differences: ExpectedProjection[] = [];
    const all = [...expectedProjections.values()];
    for (let i = 0; i < all.length; i += BATCH) {
      const group = all.slice(i, i + BATCH);
      for (const collection of new Set(group.map((projection) => projection.collection))) {
        const projections = group.filter((projection) => projection.collection === collection);
        const results = await documents.collection(collection).getMany(projections.map(({ id }) => id));
        differences.push(...projections.filter(({ id, doc }) => !isEqual(results.get(id) ?? null, doc)));
      }
    }
    for (const [collection, where] of OWNED[kindOf(stream)]?.(stream) ?? []) {
      for await (const page of findPages(documents.collection(collection), { where }, BATCH)) {
        const unexpectedDocs = page.filter(
          ({ id }) => (expectedProjections.get(keyText(collection, id))?.doc ?? null) === null,
        );
        differences.push(...unexpectedDocs.map(({ id }) => ({ collection, id, doc: null, seq: 0 })));
      }
    }
    return differences;
  }

  async function write({ collection, id, doc, seq: at }: ExpectedProjection, repairEpoch: number): Promise<void> {
    const seq = rank(aggregate.schemaVersion, repairEpoch, at);
    const projectionWrite: Write<object> =
      doc === null ? { kind: 'remove', id, seq } : { kind: 'forward', id, seq, doc };
    await documents.collection(collection).write([projectionWrite]);
  }
}

function keyText(collection: CollectionShape<object>, id: string): string {
  return `${collection.name}/${id}`;
}

function isEqual(a: object | null, b: object | null): boolean {
  const text = (value: object | null) => canonicalJson(JSON.parse(JSON.stringify(value)) as Json);
  return text(a) === text(b);
}
