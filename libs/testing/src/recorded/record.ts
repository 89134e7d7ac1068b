import type { Aggregate } from '@assurance/contracts/events/aggregate';
import type { DomainEvent } from '@assurance/contracts/events/event';
import { metaOf } from '@assurance/event-sourcing/sealing/read';
import { seal } from '@assurance/event-sourcing/sealing/seal';
import { uuidv7 } from '@assurance/kernel';
import type { Commit, CommitIndex, Engines } from '@assurance/storage-ports';

/** The common fields of the commits of a recorded stream. */
export interface RecordedBy {
  /** Id of the organization. */
  readonly org: string;
  /** Id of a principal. */
  readonly actor: string;
  /** Of the first commit, integer milliseconds; each next commit is one second later. */
  readonly at: number;
}

/**
 * For specs of queries: records commits of one stream and writes the aggregate state and inline projections after it, as
 * ingestion does.
 *
 * @param key what follows the kind in the stream's id
 * @param recorded each item is a commit: one event, or several
 * @param indexOf the look-up values of a commit by its first event; only environments have them
 */
export async function record<State extends object, Event extends DomainEvent>(
  { events, documents }: Pick<Engines, 'events' | 'documents'>,
  aggregate: Aggregate<State, Event>,
  key: string,
  { org, actor, at }: RecordedBy,
  recorded: readonly (Event | readonly [Event, ...Event[]])[],
  indexOf: (event: Event) => CommitIndex | undefined = () => undefined,
): Promise<void> {
  const stream = `${aggregate.kind}/${key}`;
  let newest: Commit | null = null;
  let state: State | null = null;
  for (const item of recorded) {
    const [first, ...others]: readonly [Event, ...Event[]] = isEvent(item) ? [item] : item;
    const index = indexOf(first);
    const moment = at + 1_000 * (newest?.seq ?? 0);
    const draft = { id: freshId(moment), org, stream, at: moment, actor, correlation: 'recorded' };
    const commit: Commit = await seal(events, index === undefined ? draft : { ...draft, index }, newest, [
      first,
      ...others,
    ]);
    const outcome = await events.append(commit);
    if (outcome !== 'appended') throw new Error(`${first.type} was not recorded: ${outcome}`);
    const seq = aggregate.schemaVersion * 2 ** 40 + commit.seq;
    for (const event of [first, ...others]) {
      const before: State | null = state;
      const after: State = aggregate.evolve(before, event, metaOf(commit));
      for (const { collection, id, doc } of aggregate.inlineProjections?.(after, event, metaOf(commit), before) ?? []) {
        const write =
          doc === null ? ({ kind: 'remove', id, seq } as const) : ({ kind: 'forward', id, seq, doc } as const);
        await documents.writeInOrder([[{ collection, writes: [write] }]]);
      }
      state = after;
    }
    if (state === null) throw new Error('a commit has events');
    const doc = { ...state, seq: commit.seq, fold: aggregate.schemaVersion };
    const writes = [{ kind: 'forward', id: stream, seq, doc }] as const;
    await documents.writeInOrder([[{ collection: aggregate.states, writes }]]);
    newest = commit;
  }
}

function isEvent<Event extends DomainEvent>(item: Event | readonly [Event, ...Event[]]): item is Event {
  return 'type' in item;
}

let count = 0;

function freshId(at: number): string {
  count += 1;
  const bytes = new Uint8Array(10);
  new DataView(bytes.buffer).setUint32(6, count);
  return uuidv7(at, bytes);
}
