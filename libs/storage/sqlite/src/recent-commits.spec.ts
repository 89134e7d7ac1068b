import { makeStream } from '@assurance/storage-conformance';
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
    expect([recent.byId(stream, first!.id), recent.byId(stream, second!.id)]).toEqual([undefined, second]);
  });

  it('are none while an append is under way, nor after one of which nobody knows how it ended', () => {
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
