import { UnknownEvent } from '@assurance/contracts/events/codec';
import { NO_ORGANIZATION } from '@assurance/contracts/events/streams';
import { COMMITS, connectFeed, type FeedStrategy } from '@assurance/event-sourcing/feed/feed-strategy';
import { type ParkedStream, skipErased } from '@assurance/event-sourcing/feed/parked-streams';
import { err } from '@assurance/kernel';
import {
  type Collection,
  type Commit,
  type Documents,
  type Feed,
  type FeedConsumer,
  type Query,
  StoreUnavailable,
  type Write,
} from '@assurance/storage-ports';
import { Controller, type INestApplication, Inject, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventPattern, Payload } from '@nestjs/microservices';
import { httpAdapter, installPipeline } from './pipeline';
import { DEFAULT_LIMITS } from './testing/default-limits';

const commit = (stream: string, seq: number): Commit => ({
  id: `${stream}-${seq}`,
  org: 'o',
  stream,
  seq,
  at: seq,
  actor: 'ada',
  correlation: 'c',
  prev: null,
  events: [],
});

/** A store with the promises of the ports that parking needs, and a feed that the test drives. */
class Ports {
  readonly store: Commit[] = [];
  readonly groups = new Map<string, (batch: readonly Commit[]) => Promise<void>>();
  readonly stopped: string[] = [];
  private readonly rows = new Map<string, { seq: number; doc: object | null }>();

  readonly events = {
    read: (stream: string, from: number, limit: number) =>
      Promise.resolve(this.store.filter((commit) => commit.stream === stream && commit.seq >= from).slice(0, limit)),
  } as never;

  readonly feed: Feed = {
    consume: (group, handle) => {
      this.groups.set(group, handle);
      const consumer: FeedConsumer = {
        lag: () => Promise.resolve(this.store.length),
        stop: () => Promise.resolve(void this.stopped.push(group)),
      };
      return Promise.resolve(consumer);
    },
  };

  readonly documents = {
    persist: () => Promise.resolve(),
    collection: () =>
      ({
        getMany: (ids: readonly string[]) =>
          Promise.resolve(
            new Map(ids.flatMap((id) => (this.rows.get(id)?.doc ? [[id, this.rows.get(id)?.doc]] : [])) as never),
          ),
        find: ({ where, skip = 0 }: Query) =>
          Promise.resolve(
            [...this.rows.entries()]
              .flatMap(([id, { doc }]) =>
                doc !== null && (doc as ParkedStream).group === where['group'] ? [{ id, doc }] : [],
              )
              .slice(skip),
          ),
        write: (writes: readonly Write<object>[]) => {
          for (const write of writes) {
            const seq = 'seq' in write ? write.seq : Infinity;
            if (seq <= (this.rows.get(write.id)?.seq ?? 0)) continue;
            this.rows.set(write.id, { seq, doc: 'doc' in write ? write.doc : null });
          }
          return Promise.resolve();
        },
      }) as unknown as Collection<object>,
  } as unknown as Documents;

  /** Delivers a batch to a group, once. */
  async hand(group: string, ...batch: readonly Commit[]): Promise<void> {
    await this.groups.get(group)?.(batch);
  }
}

/** Commits that the two roles of the process received, and commits on which they fail. */
class Ears {
  readonly heard: Record<string, string[]> = { one: [], two: [] };
  readonly fails = new Map<string, Error>();
  /** After this number of failures, nothing fails any more. */
  mended = Infinity;

  hear(role: string, batch: readonly Commit[]): Promise<void> {
    const bad = batch.find(({ id }) => this.fails.has(id));
    if (bad !== undefined && this.mended-- > 0) return Promise.reject(this.fails.get(bad.id) as Error);
    this.heard[role]?.push(batch.map(({ id }) => id).join(' '));
    return Promise.resolve();
  }
}

const ONE = Symbol('one');
const TWO = Symbol('two');

@Controller()
class First {
  constructor(@Inject(Ears) private readonly ears: Ears) {}
  @EventPattern(COMMITS, ONE)
  take(@Payload() batch: readonly Commit[]): Promise<void> {
    return this.ears.hear('one', batch);
  }
}

@Controller()
class Second {
  constructor(@Inject(Ears) private readonly ears: Ears) {}
  @EventPattern(COMMITS, TWO)
  take(batch: readonly Commit[]): Promise<void> {
    return this.ears.hear('two', batch);
  }
}

@Module({ controllers: [First, Second], providers: [Ears] })
class Process {}

describe('the feed as a transport', () => {
  let app: INestApplication;
  let ports: Ports;
  let ears: Ears;
  let first: FeedStrategy;
  const slept: number[] = [];
  const alarms: string[] = [];

  beforeEach(async () => {
    ports = new Ports();
    slept.length = 0;
    alarms.length = 0;
    app = await NestFactory.create(Process, httpAdapter(DEFAULT_LIMITS), { bodyParser: false, logger: false });
    const logger = {
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: (_fields: object, message: string) => void alarms.push(message),
    };
    await installPipeline(app, {
      identify: () => Promise.resolve(err('unauthenticated' as const)),
      ids: { next: () => 'id', random: () => new Uint8Array() },
      limits: DEFAULT_LIMITS,
      logger,
    });
    const shared = {
      ports,
      logger,
      clock: { now: () => 7 },
      sleep: (ms: number) => Promise.resolve(void slept.push(ms)),
      delays: [10, 20],
    };
    first = connectFeed(app, { ...shared, consumes: { group: 'one', transport: ONE } });
    // Most streams here have no kind.
    connectFeed(app, { ...shared, consumes: { group: 'two', transport: TWO, kinds: new Set(['', 'trail']) } });
    await app.startAllMicroservices();
    await app.init();
    ears = app.get(Ears);
  });
  afterEach(() => app.close());

  it('gives each role of a process its own batches', async () => {
    await ports.hand('one', commit('a', 1), commit('b', 1));
    await ports.hand('two', commit('a', 1));
    expect(ears.heard).toEqual({ one: ['a-1 b-1'], two: ['a-1'] });
  });

  it('passes over commits of kinds that a group does not take', async () => {
    await ports.hand('two', commit('trail/x', 1), commit('flow/x', 1), commit('trail/y', 1));
    await ports.hand('two', commit('flow/x', 2));
    expect(ears.heard).toEqual({ one: [], two: ['trail/x-1 trail/y-1'] });
  });

  it('a batch that fails is handled again commit by commit, and parks nothing where that helps', async () => {
    ears.fails.set('b-1', new Error('a hiccup'));
    ears.mended = 2;
    await ports.hand('one', commit('a', 1), commit('b', 1), commit('a', 2));
    expect(ears.heard['one']).toEqual(['a-1', 'a-2', 'b-1']);
    expect([slept, alarms]).toEqual([[10], []]);
  });

  it('a stream that keeps failing is parked with what follows in it; other streams go on', async () => {
    ears.fails.set('a-2', new Error('poison'));
    await ports.hand('one', commit('a', 1), commit('b', 1), commit('a', 2), commit('a', 3), commit('b', 2));
    expect(ears.heard['one']).toEqual(['a-1', 'b-1', 'b-2']);
    expect(slept).toEqual([10, 20]);
    expect(alarms).toEqual(['a stream was parked']);
    ears.fails.clear();
    await ports.hand('one', commit('a', 4), commit('b', 3));
    expect(ears.heard['one']).toEqual(['a-1', 'b-1', 'b-2', 'b-3']);
    await ports.hand('two', commit('a', 2));
    expect(ears.heard['two']).toEqual(['a-2']);
  });

  it('replay runs a parked stream in order, and what comes after it flows again', async () => {
    ears.fails.set('a-1', new Error('poison'));
    await ports.hand('one', commit('a', 1), commit('a', 2));
    ports.store.push(commit('a', 1), commit('a', 2), commit('a', 3), commit('b', 1));
    expect(await first.replay()).toEqual({ streams: 1, failedStreams: ['a'] });
    ears.fails.clear();
    expect(await first.replay()).toEqual({ streams: 1, failedStreams: [] });
    expect(ears.heard['one']).toEqual(['a-1', 'a-2', 'a-3']);
    await ports.hand('one', commit('a', 4));
    expect(ears.heard['one']).toEqual(['a-1', 'a-2', 'a-3', 'a-4']);
    expect(await first.replay()).toEqual({ streams: 0, failedStreams: [] });
  });

  it('a stream can be parked again right after it was replayed', async () => {
    ears.fails.set('a-1', new Error('poison'));
    await ports.hand('one', commit('a', 1));
    ports.store.push(commit('a', 1));
    ears.fails.clear();
    await first.replay();
    ears.fails.set('a-2', new Error('poison'));
    await ports.hand('one', commit('a', 2));
    await ports.hand('one', commit('a', 3));
    expect(ears.heard['one']).toEqual(['a-1']);
  });

  it('skips an erased organization, but not the stream that says so, and not the stream of another', async () => {
    await skipErased(ports.documents, 'o', 7);
    const other = { ...commit('b', 1), org: 'p' };
    await ports.hand('one', commit('a', 1), other, commit('organization/o', 2));
    await ports.hand('two', commit('a', 2), { ...other, org: NO_ORGANIZATION });
    expect(ears.heard).toEqual({ one: ['b-1 organization/o-2'], two: ['b-1'] });
    expect(await first.listParked()).toEqual([]);
  });

  it('an event that is not known stops the consumer with an alarm, and parks nothing', async () => {
    ears.fails.set('a-1', new UnknownEvent({ stream: 'a', seq: 1 }, { type: 'Later', version: 2 }));
    await expect(ports.hand('one', commit('a', 1))).rejects.toThrow('Later v2');
    expect(first.pauseReason).toContain('Later v2');
    expect(ports.stopped).toEqual(['one']);
    expect(alarms).toEqual(['a consumer paused: it met an unknown event']);
    ears.fails.clear();
    await expect(ports.hand('one', commit('b', 1))).rejects.toThrow('Later v2');
    expect(ears.heard['one']).toEqual([]);
    expect(await first.replay()).toEqual({ streams: 0, failedStreams: [] });
  });

  it('an unavailable store parks nothing: the batch is delivered again', async () => {
    ears.fails.set('a-1', new StoreUnavailable('away'));
    await expect(ports.hand('one', commit('a', 1), commit('b', 1))).rejects.toThrow('away');
    expect(await first.replay()).toEqual({ streams: 0, failedStreams: [] });
    ears.fails.clear();
    await ports.hand('one', commit('a', 1), commit('b', 1));
    expect(ears.heard['one']).toEqual(['a-1 b-1']);
  });

  it('says how far behind it is, and stops with the application', async () => {
    ports.store.push(commit('a', 1), commit('a', 2));
    expect(await first.lag()).toBe(2);
    await app.close();
    expect(ports.stopped.sort()).toEqual(['one', 'two']);
  });
});
