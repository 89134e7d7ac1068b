import { InvalidKeyCounter } from './wrong-keys';

const ADDRESS = '192.0.2.7';

describe('wrong keys', () => {
  let now: number;
  let logged: object[];
  const keys = (limit: number) =>
    new InvalidKeyCounter(limit, { steady: () => now }, { info: (fields: object) => void logged.push(fields) });
  beforeEach(() => {
    now = 5_000;
    logged = [];
  });

  it('of one address are looked at until its limit, then again a minute after the first', () => {
    const wrong = keys(3);
    for (let i = 0; i < 3; i += 1) {
      expect(wrong.secondsToWait(ADDRESS)).toBeNull();
      wrong.note(ADDRESS, true);
      now += 1_000;
    }
    expect([wrong.secondsToWait(ADDRESS), wrong.secondsToWait('192.0.2.8')]).toEqual([57, null]);
    now = 5_000 + 59_999;
    expect(wrong.secondsToWait(ADDRESS)).toBe(1);
    now += 1;
    expect(wrong.secondsToWait(ADDRESS)).toBeNull();
    wrong.note(ADDRESS, true);
    expect(wrong.secondsToWait(ADDRESS)).toBeNull();
  });

  it('are not limited by requests without a key, nor where there is no limit', () => {
    const [wrong, open] = [keys(1), keys(0)];
    for (let i = 0; i < 10; i += 1) {
      wrong.note(ADDRESS, false);
      open.note(ADDRESS, true);
    }
    expect([wrong.secondsToWait(ADDRESS), open.secondsToWait(ADDRESS)]).toEqual([null, null]);
  });

  it('make one line a minute for each address, which counts those since the last line', () => {
    const wrong = keys(2);
    for (let i = 0; i < 100; i += 1) wrong.note(ADDRESS, true);
    wrong.note('192.0.2.8', true);
    now += 60_000;
    wrong.note(ADDRESS, true);
    expect(logged).toEqual([
      { address: ADDRESS, refused: 1 },
      { address: '192.0.2.8', refused: 1 },
      { address: ADDRESS, refused: 100 },
    ]);
  });

  it('of many addresses take bounded room', () => {
    const wrong = keys(1);
    wrong.note(ADDRESS, true);
    for (let i = 0; i < 10_000; i += 1) wrong.note(`10.0.${i >> 8}.${i & 255}`, true);
    expect([wrong.secondsToWait(ADDRESS), wrong.secondsToWait('10.0.39.15')]).toEqual([null, 60]);
  });
});
