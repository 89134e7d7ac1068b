import { ANSWER_BYTES, boundAnswer, filterByText } from './bounded-answer';

describe('what an assistant is answered', () => {
  it('is all of it where it fits', () => {
    const value = { a: [1, null, 'text'], b: { c: true } };
    expect(boundAnswer(value)).toEqual({ data: value, cut: [] });
  });

  it.each([
    ['a long list', Array.from({ length: 20_000 }, (_, i) => ({ name: `artifact-${i}` }))],
    ['an object of many keys', Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, i]))],
    ['a long text', { text: '環境'.repeat(200_000) }],
    ['lists in lists', Array.from({ length: 60 }, () => Array.from({ length: 60 }, () => ['x'.repeat(500)]))],
    ['long keys', Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`${i}${'k'.repeat(5_000)}`, i]))],
    ['one key that is too long', { ['k'.repeat(200_000)]: 1 }],
  ])('is the beginning of %s, and says so', (_, value) => {
    const { data, cut } = boundAnswer(value);
    expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThanOrEqual(ANSWER_BYTES);
    expect(cut.length).toBeGreaterThan(0);
    expect(cut.length).toBeLessThanOrEqual(20);
  });

  it('says where and how much was left out', () => {
    const { data, cut } = boundAnswer({ artifacts: Array.from({ length: 250 }, (_, i) => i) });
    expect(data).toEqual({ artifacts: Array.from({ length: 100 }, (_, i) => i) });
    expect(cut).toEqual([{ path: 'artifacts', shown: 100, of: 250 }]);
  });

  it('has only the entries of lists that contain a text', async () => {
    const rows = [{ name: 'Web "1"' }, { name: 'api' }];
    expect(await filterByText(rows, 'web "1"')).toEqual([rows[0]]);
    expect(await filterByText({ index: 3, artifacts: rows }, 'API')).toEqual({ index: 3, artifacts: [rows[1]] });
    expect(await filterByText('text', 'x')).toBe('text');
  });
});
