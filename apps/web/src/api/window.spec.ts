import { endsOfDates, lastBuckets, lastFourWeeks, periodBefore, periodOfDates, quarterBefore } from './window';

const at = (text: string) => Date.parse(`${text}Z`) / 1000;
const NOW = at('2026-11-26T18:59');
const shown = ({ start, end }: { start: number; end: number | null }) =>
  [start, end].map((time) => time && new Date(time * 1000).toISOString().slice(0, 10));

describe('periods of figures', () => {
  it.each([
    ['day', 7, '2026-11-19', '2026-11-11', '2026-11-19'],
    ['week', 4, '2026-10-26', '2026-09-21', '2026-10-23'],
    ['month', 2, '2026-09-01', '2026-06-01', '2026-08-27'],
  ] as const)(
    'by %s, with %d before now, begin on %s, and the same days before on %s',
    (bucket, count, start, ...before) => {
      const period = lastBuckets(NOW, 'utc', bucket, count);
      expect(shown(period)).toEqual([start, null]);
      expect(shown(periodBefore(period, NOW, 'utc'))).toEqual(before);
    },
  );

  it('of four weeks are 28 days long, and are compared with the 28 days before', () => {
    const period = lastFourWeeks(NOW, 'utc');
    expect(shown(period)).toEqual(['2026-10-30', null]);
    expect(shown(periodBefore(period, NOW, 'utc'))).toEqual(['2026-10-02', '2026-10-30']);
  });

  it('that have ended are compared with all of the time before', () => {
    const period = periodOfDates('2026-11-02', '2026-11-08', 'utc')!;
    expect(shown(periodBefore(period, NOW, 'utc'))).toEqual(['2026-10-26', '2026-11-02']);
  });

  it.each([
    ['2026-11-02', '2026-11-02', 'day', '2026-11-02', '2026-11-03'],
    ['2026-09-30', '2026-11-26', 'week', '2026-09-28', '2026-11-30'],
    ['2026-01-15', '2026-12-31', 'month', '2026-01-01', '2027-01-01'],
  ])('from %s to %s go by %s', (from, to, bucket, start, end) => {
    const period = periodOfDates(from, to, 'utc');
    expect(period?.bucket).toBe(bucket);
    expect(period && shown(period)).toEqual([start, end]);
  });

  it.each([
    ['', '2026-11-02'],
    ['2026-13-02', '2026-11-02'],
    ['2026-11-03', '2026-11-02'],
  ])('are none from %j to %j', (from, to) => {
    expect(periodOfDates(from, to, 'utc')).toBeNull();
  });

  it('of the reader begin at midnight of that place', () => {
    const { start } = lastBuckets(NOW, 'local', 'day', 0);
    expect(new Date(start * 1000).getHours()).toBe(0);
  });
});

describe('a quarter', () => {
  const november = Date.UTC(2026, 10, 27) / 1000;
  it.each([
    [0, '2026-Q4', Date.UTC(2026, 9, 1), Date.UTC(2027, 0, 1)],
    [2, '2026-Q2', Date.UTC(2026, 3, 1), Date.UTC(2026, 6, 1)],
    [4, '2025-Q4', Date.UTC(2025, 9, 1), Date.UTC(2026, 0, 1)],
  ])('%d before that of a moment', (back, name, start, after) => {
    expect(quarterBefore(november, back, 'utc')).toEqual({ name, start: start / 1000, end: after / 1000 - 0.001 });
  });
});

describe('a range of dates', () => {
  it('holds both, and is open where a date is none', () => {
    const [start, end] = [Date.UTC(2026, 1, 1) / 1000, Date.UTC(2026, 2, 1) / 1000 - 0.001];
    expect(endsOfDates('2026-02-01', '2026-02-28', 'utc')).toEqual({ start, end });
    expect(endsOfDates('', '2026-02-28', 'utc')).toEqual({ start: null, end });
    expect(endsOfDates('2026-02-01', 'x', 'utc')).toEqual({ start, end: null });
  });
});
