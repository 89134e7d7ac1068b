import { expressionOf, sideOf } from './compared-sides';

describe('a side of a comparison', () => {
  it.each(['local', 'utc'] as const)('keeps name and time in the zone %s', (zone) => {
    const side = { name: 'production', time: '2026-06-16T14:05' };
    expect(sideOf(expressionOf(side, zone), zone)).toEqual(side);
  });

  it('is now without a time, and any other expression as it is', () => {
    expect(expressionOf({ name: 'production', time: '' }, 'utc')).toBe('production');
    for (const text of ['production', 'production#3', 'production~1', 'production@{2.weeks.ago}']) {
      expect(sideOf(text, 'utc')).toEqual({ name: text, time: '' });
    }
  });

  it('has times of the API in UTC', () => {
    expect(expressionOf({ name: 'a', time: '2026-06-16T14:05' }, 'utc')).toBe('a@{2026-06-16T14:05:00}');
  });
});
