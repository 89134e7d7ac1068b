import { blobsSuite } from '@assurance/testing/conformance/blobs';
import { documentsSuite } from '@assurance/testing/conformance/documents';
import { eventStoreSuite } from '@assurance/testing/conformance/event-store';
import { feedSuite } from '@assurance/testing/conformance/feed';
import { appendAll, makeCommit, makeStream, unique } from '@assurance/testing/conformance/harness';
import { loosen } from '@assurance/testing/loose/loosen';
import type { Step } from '@assurance/testing/loose/steps';
import { openTemporary } from './testing/open-temporary';

/** Random numbers from a fixed seed, so that a failure can be repeated. */
function seeded(): () => number {
  let seed = 20_240_229;
  return () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
}

async function open(onStep?: (step: Step) => void, now?: () => number) {
  const { engines, close } = await openTemporary(now);
  return { engines: loosen(engines, { random: seeded(), onStep }), close };
}

describe('the loose engine keeps every promise', () => {
  eventStoreSuite(open);
  documentsSuite(open);
  feedSuite(open);
  blobsSuite((now) => open(undefined, now));
});

describe('the loose engine keeps no more', () => {
  it('conflicts every append once, but not that of a commit which is there', async () => {
    const { engines, close } = await open();
    const [first, second] = makeStream([{}, {}]);
    expect(await engines.events.append(first!)).toBe('conflict');
    expect(await engines.events.newest(first!.stream)).toBeNull();
    expect(await engines.events.append(first!)).toBe('appended');
    expect(await engines.events.append(first!)).toBe('appended');
    expect(await engines.events.append(second!)).toBe('conflict');
    await close();
  });

  it('repeats what the feed gives', async () => {
    const { engines, close } = await open();
    const commits = Array.from({ length: 5 }, () => makeCommit());
    await appendAll(engines.events, commits);
    const heard: string[] = [];
    const done = new Promise<void>((resolve) => {
      const twice = () => commits.every(({ id }) => heard.filter((one) => one === id).length > 1);
      const handle = async (batch: readonly { id: string }[]) => {
        heard.push(...batch.map(({ id }) => id));
        if (twice()) resolve();
      };
      void engines.feed.consume(unique('group'), handle, { maxBatch: 100 });
    });
    await done;
    await close();
  });

  it('can stop between any two writes of a call, and calls the function of a merge more than once', async () => {
    let left = Infinity;
    const { engines, close } = await open(() => {
      left -= 1;
      if (left < 0) throw new Error('stopped');
    });
    const rows = engines.documents.collection<{ n: number }>({ name: unique('rows'), indexes: [] });
    const ids = ['a', 'b', 'c', 'd'];
    left = 4;
    await expect(rows.write(ids.map((id, n) => ({ kind: 'put', id, doc: { n } })))).rejects.toThrow('stopped');
    left = Infinity;
    expect((await rows.getMany(ids)).size).toBe(2);
    let calls = 0;
    await rows.merge(['x'], (current) => {
      calls += 1;
      return { n: (current?.n ?? 0) + 1 };
    });
    expect(calls).toBe(2);
    expect(await rows.get('x')).toEqual({ n: 1 });
    await close();
  });
});
