import { makeStream } from '@assurance/testing/conformance/harness';
import { RecentCommits } from './recent-commits';

describe('the newest commits that are remembered', () => {
  const [first, second, third] = makeStream([{}, {}, {}]);
  const { stream } = first!;

  it('are those that were appended or read last', () => {
    const recent = new RecentCommits();
    expect(recent.newest(stream)).toBeUndefined();
    recent.read(first!, 10);
    expect(recent.newest(stream)).toBe(first);
    recent.begin(stream, 10)(second!);
    expect(recent.newest(stream)).toBe(second);
  });

  it('are empty during an append, and after an append with an unknown result', () => {
    const recent = new RecentCommits();
    recent.read(first!, 10);
    const ended = recent.begin(stream, 10);
    expect(recent.newest(stream)).toBeUndefined();
    recent.read(first!, 10);
    expect(recent.newest(stream)).toBeUndefined();
    ended(null);
    expect(recent.newest(stream)).toBeUndefined();
  });

  it('are the last of several appends, or none where that one failed', () => {
    const recent = new RecentCommits();
    const ended = [second!, third!].map((commit) => ({ commit, end: recent.begin(stream, 10) }));
    for (const { commit, end } of ended) {
      expect(recent.newest(stream)).toBeUndefined();
      end(commit);
    }
    expect(recent.newest(stream)).toBe(third);
    const again = [recent.begin(stream, 10), recent.begin(stream, 10)];
    again[0]?.(third!);
    again[1]?.(null);
    expect(recent.newest(stream)).toBeUndefined();
  });

  it('are returned by position, without a gap, or must be read from the file', () => {
    const recent = new RecentCommits(30, 30);
    const [one, two, three] = [first!, second!, third!].map((commit) => ({ commit, bytes: 10 }));
    expect(recent.after(0, 10)).toBeNull();
    for (const [i, each] of [one!, two!, three!].entries()) recent.notePosition(5 + i, each);
    expect([3, 4, 5, 7, 9].map((position) => recent.after(position, 2))).toEqual([
      null,
      [one, two],
      [two, three],
      [],
      [],
    ]);
    recent.notePosition(8, one!);
    expect([recent.after(4, 9), recent.after(5, 9)]).toEqual([null, [two, three, one]]);
    recent.notePosition(10, two!);
    expect([recent.after(7, 9), recent.after(9, 9)]).toEqual([null, [two]]);
    recent.notePosition(11, { commit: first!, bytes: 31 });
    expect([recent.after(10, 9), recent.after(11, 9)]).toEqual([null, []]);
  });

  it('are as many as there is room for, by their bytes, those that were used last', () => {
    const recent = new RecentCommits(20);
    const streams = ['a', 'b', 'c'];
    for (const one of streams.slice(0, 2)) recent.read({ ...first!, stream: one }, 10);
    recent.newest('a');
    recent.read({ ...first!, stream: 'c' }, 10);
    expect(streams.map((one) => recent.newest(one) !== undefined)).toEqual([true, false, true]);
    recent.read({ ...first!, stream: 'd' }, 21);
    expect(['a', 'c', 'd'].some((one) => recent.newest(one) !== undefined)).toBe(false);
  });
});
