import { roughBytes } from './rough-bytes';

describe('roughBytes', () => {
  it.each([null, undefined, 0, '', true, {}, []])('is at least 1: %j', (value) => {
    expect(roughBytes(value)).toBeGreaterThan(0);
  });

  it('grows with the length of texts and the number of members, wherever they are', () => {
    const of = (length: number, count: number) =>
      roughBytes({ all: Array.from({ length: count }, () => ({ name: 'a'.repeat(length), at: 1 })) });
    expect(of(1_000, 10) - of(0, 10)).toBe(20_000);
    expect(of(100, 20)).toBeGreaterThan(1.9 * of(100, 10));
  });

  it('is at least what JSON takes', () => {
    const value = { name: 'web', tags: { a: 'b' }, list: [1, 2, [3, null, true]] };
    expect(roughBytes(value)).toBeGreaterThan(JSON.stringify(value).length);
  });
});
