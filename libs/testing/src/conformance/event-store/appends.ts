import type { EventStore } from '@assurance/storage-ports';
import { appendAll, appendUntilSettled, makeCommit, makeStream, nextCommit } from '../harness';

const AT_ONCE = 64;

export function appends(events: () => EventStore): void {
  it('adds a commit, which every read sees as soon as the append is acknowledged', async () => {
    const commits = makeStream([{}, {}, {}]);
    for (const commit of commits) {
      expect(await appendUntilSettled(events(), commit)).toBe('appended');
      expect(await events().newest(commit.stream)).toEqual(commit);
      expect(await events().read(commit.stream, commit.seq, 10)).toEqual([commit]);
    }
  });

  it('answers appended for the very same commit and changes nothing, also when others followed', async () => {
    const commits = makeStream([{}, {}]);
    const [first, second] = commits;
    await appendAll(events(), [first!]);
    expect(await events().append(first!)).toBe('appended');
    await appendAll(events(), [second!]);
    expect(await events().append(first!)).toBe('appended');
    expect(await events().read(first!.stream, 1, 10)).toEqual(commits);
  });

  it('takes the very same commit sent many times at once as one', async () => {
    const commit = makeCommit();
    const outcomes = await Promise.all(Array.from({ length: 16 }, () => appendUntilSettled(events(), commit)));
    expect(new Set(outcomes)).toEqual(new Set(['appended']));
    expect(await events().read(commit.stream, 1, 10)).toEqual([commit]);
  });

  it('answers conflict where another commit has the place, and writes nothing', async () => {
    const [first, second] = makeStream([{}, {}]);
    await appendAll(events(), [first!, second!]);
    expect(await events().append(nextCommit(first!))).toBe('conflict');
    expect(await events().append(makeCommit({ stream: first!.stream }))).toBe('conflict');
    expect(await events().read(first!.stream, 1, 10)).toEqual([first, second]);
  });

  it('answers gap where the commit before is not there, and writes nothing', async () => {
    const [first, second, third] = makeStream([{}, {}, {}]);
    expect(await appendUntilSettled(events(), second!)).toBe('gap');
    expect(await events().newest(first!.stream)).toBeNull();
    await appendAll(events(), [first!]);
    expect(await appendUntilSettled(events(), third!)).toBe('gap');
    expect(await events().read(first!.stream, 1, 10)).toEqual([first]);
    await appendAll(events(), [second!, third!]);
    expect(await events().read(first!.stream, 1, 10)).toEqual([first, second, third]);
  });

  it(`lets one of ${AT_ONCE} appends of one place at once win, and tells each its own outcome`, async () => {
    const first = makeCommit();
    await appendAll(events(), [first]);
    const rivals = Array.from({ length: AT_ONCE }, () => nextCommit(first));
    const outcomes = await Promise.all(rivals.map((rival) => appendUntilSettled(events(), rival)));
    const winners = rivals.filter((_, i) => outcomes[i] === 'appended');
    expect(winners).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'conflict')).toHaveLength(AT_ONCE - 1);
    expect(await events().read(first.stream, 2, 10)).toEqual(winners);
  });

  it('gives each of many appends at once the outcome that is its own', async () => {
    const streams = Array.from({ length: AT_ONCE }, () => makeStream([{}, {}]));
    const commits = streams.filter((_, i) => i % 4 === 1).map(([first]) => first!);
    await appendAll(events(), commits);
    const sent = streams.map(([first, second], i) => {
      switch (i % 4) {
        case 0:
          return { commit: first!, outcome: 'appended' };
        case 1:
          return { commit: makeCommit({ stream: first!.stream }), outcome: 'conflict' };
        case 2:
          return { commit: second!, outcome: 'gap' };
        default:
          return { commit: makeCommit({ stream: first!.stream }), outcome: 'appended' };
      }
    });
    const outcomes = await Promise.all(sent.map(({ commit }) => appendUntilSettled(events(), commit)));
    expect(outcomes).toEqual(sent.map(({ outcome }) => outcome));
    for (const { commit, outcome } of sent) {
      const stored = await events().read(commit.stream, commit.seq, 10);
      expect(stored.some(({ id }) => id === commit.id)).toBe(outcome === 'appended');
    }
  });

  it('does not store a loser’s next commit after the place of its first was taken', async () => {
    const commits = makeStream([{}, {}, {}, {}, {}]);
    await appendAll(events(), commits);
    const fifth = nextCommit(commits[3]!);
    const sixth = nextCommit(fifth);
    const [a, b] = await Promise.all([events().append(fifth), events().append(sixth)]);
    expect(a).toBe('conflict');
    expect(b).not.toBe('appended');
    expect(await appendUntilSettled(events(), sixth)).toBe('gap');
    expect(await events().read(fifth.stream, 1, 10)).toEqual(commits);
  });

  it('keeps the order of a stream whose commits are sent at once', async () => {
    const commits = makeStream(Array.from({ length: 20 }, () => ({})));
    // An early append finds a gap and is repeated, as after any refusal.
    let waiting = [...commits].reverse();
    for (let rounds = 0; waiting.length > 0 && rounds < 100; rounds += 1) {
      const outcomes = await Promise.all(waiting.map((commit) => appendUntilSettled(events(), commit)));
      expect(outcomes).not.toContain('conflict');
      waiting = waiting.filter((_, i) => outcomes[i] !== 'appended');
    }
    expect(await events().read(commits[0]!.stream, 1, 100)).toEqual(commits);
  });
}
