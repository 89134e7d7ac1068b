import { byteLength, canonicalJson } from '@assurance/kernel';
import type { Commit, EventStore } from '@assurance/storage-ports';
import { appendAll, appendUntilSettled, makeCommit, makeEvent, nextCommit, unique } from '../harness';

export function removes(events: () => EventStore): void {
  /** A stream of commits, each of which follows the one before it; the last names data that lies outside. */
  const createStream = async (org: string, length: number) => {
    const text = canonicalJson({ about: unique('about'), text: 'z'.repeat(300_000) });
    const digest = await events().putData(org, text);
    const outside = { type: 'SomethingHappened', version: 1, digest, size: byteLength(text) };
    const commits: Commit[] = [makeCommit({ org, ...(length === 1 ? { events: [outside] } : {}) })];
    while (commits.length < length) {
      const isLast = commits.length === length - 1;
      commits.push(nextCommit(commits.at(-1)!, { events: [isLast ? outside : makeEvent()] }));
    }
    await appendAll(events(), commits);
    return { stream: commits[0]!.stream, commits, digest };
  };

  it('removes a stream with the data outside it, and nothing of another', async () => {
    const org = unique('org');
    const [a, b] = [await createStream(org, 3), await createStream(org, 2)];
    await events().newest(a.stream);
    await events().removeStream(a.stream);
    expect(await events().newest(a.stream)).toBeNull();
    expect(await events().read(a.stream, 1, 10)).toEqual([]);
    expect(await events().asOf(a.stream, Number.MAX_SAFE_INTEGER)).toBeNull();
    expect(await events().readData(org, a.digest)).toBeNull();
    expect(await events().read(b.stream, 1, 10)).toEqual(b.commits);
    expect(await events().readData(org, b.digest)).not.toBeNull();
  });

  it('removes long streams, does nothing again, and nothing where there is no such stream', async () => {
    const { stream } = await createStream(unique('org'), 230);
    for (let i = 0; i < 2; i += 1) await events().removeStream(stream);
    await events().removeStream(unique('nothing'));
    expect(await events().read(stream, 1, 10)).toEqual([]);
  });

  it('removes data of one organization, of several chunks too, again, and lets it be put anew', async () => {
    const [org, other] = [unique('org'), unique('org')];
    const text = canonicalJson({ text: 'z'.repeat(600_000) });
    const digest = await events().putData(org, text);
    await events().putData(other, text);
    for (let i = 0; i < 2; i += 1) await events().removeData(org, digest, byteLength(text));
    expect(await events().readData(org, digest)).toBeNull();
    expect((await events().readData(other, digest)) === text).toBe(true);
    await events().putData(org, text);
    expect((await events().readData(org, digest)) === text).toBe(true);
  });

  it('takes no commit after one that is gone, and lets the stream begin anew', async () => {
    const { stream, commits } = await createStream(unique('org'), 2);
    await events().removeStream(stream);
    expect(await appendUntilSettled(events(), nextCommit(commits.at(-1)!))).toBe('gap');
    await appendAll(events(), [makeCommit({ stream })]);
    expect(await events().read(stream, 1, 10)).toHaveLength(1);
  });

  it('leaves the others to a scan', async () => {
    const [a, b] = [await createStream(unique('org'), 2), await createStream(unique('org'), 2)];
    await events().removeStream(a.stream);
    const seen = new Set<string>();
    for (let after: string | null = null; ;) {
      const { commits, next } = await events().scan(after, 1_000);
      for (const { stream } of commits) seen.add(stream);
      if (next === null) break;
      after = next;
    }
    expect([seen.has(a.stream), seen.has(b.stream)]).toEqual([false, true]);
  });
}
