import { UndecidedStreams } from '@assurance/notifications/dispatch/undecided';
import { undecidedMessages } from '@assurance/notifications/dispatch/undecided-queue';
import { setTimeout } from 'node:timers/promises';
import { temporaryEngines } from '../support/temporary-engines';

/** More than can wait at the same time would take minutes, if each waited for the others. */
const SLOW = 20;
const [FAST, SOON_MS, WAIT_MS] = ['environment/fast', 2_000, 300];

describe('environments whose deployments are not decided', () => {
  const engines = temporaryEngines();
  const running: UndecidedStreams[] = [];
  afterEach(() => Promise.all(running.splice(0).map((one) => one.stop())));

  function waiting(reach: (stream: string) => Promise<void>) {
    const sent: [stream: string, from: number, to: number][] = [];
    const failures: unknown[] = [];
    let ids = 0;
    const streams = new UndecidedStreams({
      documents: engines().documents,
      queue: undecidedMessages,
      clock: { now: () => Date.now() },
      ids: { next: () => `id${(ids += 1)}` },
      results: { reach: ({ stream }) => reach(stream) },
      send: (stream, { from, to }) => Promise.resolve(void sent.push([stream, from, to])),
      onFailure: (error) => failures.push(error),
    });
    running.push(streams);
    return { streams, sent, failures };
  }

  const soon = async (condition: () => boolean) => {
    const end = Date.now() + SOON_MS * 5;
    while (!condition() && Date.now() < end) await setTimeout(10);
  };

  it('wait each by itself, and then send what they have', async () => {
    let decide = () => undefined as void;
    const decided = new Promise<void>((resolve) => (decide = resolve));
    const { streams, sent, failures } = waiting((stream) => (stream === FAST ? Promise.resolve() : decided));
    const slow = Array.from({ length: SLOW }, (_, i) => [`environment/slow${i}`, { from: 2, to: 3 }] as const);
    streams.start();
    await streams.add(new Map(slow));
    await streams.add(new Map([[FAST, { from: 7, to: 7 }]]));
    await soon(() => sent.length > 0);
    expect(sent).toEqual([[FAST, 7, 7]]);
    expect((await streams.waiting(['environment/slow1', FAST])).has('environment/slow1')).toBe(true);
    decide();
    await soon(() => sent.length > SLOW);
    expect(sent.length).toBe(SLOW + 1);
    expect(failures).toEqual([]);
  });

  it('send later commits with those before', async () => {
    const { streams, sent } = waiting(() => setTimeout(WAIT_MS));
    await streams.add(new Map([['environment/a', { from: 4, to: 4 }]]));
    await streams.add(new Map([['environment/a', { from: 5, to: 6 }]]));
    streams.start();
    await soon(() => sent.length > 0);
    expect(sent).toEqual([['environment/a', 4, 6]]);
  });
});
