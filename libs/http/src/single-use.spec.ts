import { SingleUse } from './single-use';

describe('ids of a single use', () => {
  it('are taken once', () => {
    const ids = new SingleUse(1_000);
    expect(['a', 'b', 'a', 'b', 'c'].map((id) => ids.use(id, 5, 5))).toEqual([true, true, false, false, true]);
  });

  it('are known for as long as they are asked about', () => {
    const ids = new SingleUse(1_000);
    for (let now = 0; now <= 10_000; now += 100) {
      expect(ids.use(String(now), now, now)).toBe(true);
      for (let old = Math.max(0, now - 1_000); old <= now; old += 100)
        expect(ids.use(String(old), old, now)).toBe(false);
    }
  });

  it('are refused when too many others came since to remember them', () => {
    const ids = new SingleUse(1_000, 10);
    for (let at = 1; at <= 25; at += 1) expect(ids.use(String(at), at, at)).toBe(true);
    for (let at = 1; at <= 25; at += 1) expect(ids.use(String(at), at, 25)).toBe(false);
    // Both ids are new. At least the ids of the newest ten times are remembered, so an id of time 20 is accepted, and one of time 5 is not.
    expect(ids.use('late', 5, 25)).toBe(false);
    expect(ids.use('late', 20, 25)).toBe(true);
  });
});
