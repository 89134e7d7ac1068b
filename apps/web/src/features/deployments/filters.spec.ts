import { filtersOf, spanOf, TIMES } from './filters';

const DAY = 86_400;
const NOW = Date.UTC(2026, 10, 26, 18, 59) / 1000;

describe('a choice of time', () => {
  it.each([
    ['7d', 7, 7],
    ['4w', 28, 28],
    ['12w', 78, 84],
    ['12m', 335, 366],
  ])('%s has the length that its name says', (time, least, most) => {
    const span = spanOf(filtersOf(new URLSearchParams({ time })), NOW, 'utc');
    expect(TIMES.map(([name]) => name)).toContain(time);
    const days = 'period' in span ? Math.ceil((NOW - span.period.start) / DAY) : 0;
    expect(days).toBeGreaterThanOrEqual(least);
    expect(days).toBeLessThanOrEqual(most);
  });
});
