import fc from 'fast-check';
import { bucketsOf, isTimeZone } from './buckets';

const at = (text: string) => Date.parse(text) / 1_000;
const hours = (buckets: readonly { readonly from: number; readonly to: number }[]) =>
  buckets.map(({ from, to }) => (to - from) / 3_600);

describe('buckets', () => {
  it('are the days of the time zone, also where clocks change', () => {
    const days = bucketsOf(
      { start: at('2026-03-28T12:00:00Z'), end: at('2026-03-30T12:00:00Z') },
      'day',
      'Europe/Berlin',
    );
    expect(days.map(({ date }) => date)).toEqual(['2026-03-28', '2026-03-29', '2026-03-30']);
    expect(days[0]?.from).toBe(at('2026-03-27T23:00:00Z'));
    expect(hours(days)).toEqual([24, 23, 24]);
    const autumn = { start: at('2026-10-25T12:00:00Z'), end: at('2026-10-25T12:00:00Z') };
    expect(hours(bucketsOf(autumn, 'day', 'Europe/Berlin'))).toEqual([25]);
  });

  it.each([
    // Clocks go from 24:00 forward to 01:00, so the day has no midnight.
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00Z', 23],
    // Clocks go from 24:00 back to 23:00.
    ['America/Santiago', '2026-04-04', '2026-04-04T03:00:00Z', 25],
    ['Asia/Kathmandu', '2026-01-01', '2025-12-31T18:15:00Z', 24],
    ['Pacific/Chatham', '2026-07-01', '2026-06-30T11:15:00Z', 24],
  ])('of %s begin where %s does', (zone, date, start, long) => {
    const noon = at(start) + 12 * 3_600;
    const [day] = bucketsOf({ start: noon, end: noon }, 'day', zone);
    expect([day?.date, day?.from, day && (day.to - day.from) / 3_600]).toEqual([date, at(start), long]);
  });

  it('of weeks begin on Monday', () => {
    const weeks = bucketsOf({ start: at('2026-11-01T00:00:00Z'), end: at('2026-11-02T00:00:00Z') }, 'week', 'UTC');
    expect(weeks.map(({ date }) => date)).toEqual(['2026-10-26', '2026-11-02']);
  });

  it('of months begin on their first day', () => {
    const months = bucketsOf(
      { start: at('2026-11-30T00:00:00Z'), end: at('2027-02-01T00:00:00Z') },
      'month',
      'Europe/Berlin',
    );
    expect(months.map(({ date }) => date)).toEqual(['2026-11-01', '2026-12-01', '2027-01-01', '2027-02-01']);
    expect(months[0]?.from).toBe(at('2026-10-31T23:00:00Z'));
  });

  it('leave out a day that the time zone skipped', () => {
    const days = bucketsOf(
      { start: at('2011-12-29T12:00:00Z'), end: at('2011-12-31T12:00:00Z') },
      'day',
      'Pacific/Apia',
    );
    expect(days.map(({ date }) => date)).not.toContain('2011-12-30');
  });

  it('follow each other without gaps in quarters of an hour, and hold the window', () => {
    const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu', 'Pacific/Apia'];
    fc.assert(
      fc.property(
        fc.integer({ min: at('2000-01-01T00:00:00Z'), max: at('2037-01-01T00:00:00Z') }),
        fc.nat(40 * 86_400),
        fc.constantFrom('day' as const, 'week' as const, 'month' as const),
        fc.constantFrom(...zones),
        (start, length, size, zone) => {
          const buckets = bucketsOf({ start, end: start + length }, size, zone);
          expect(buckets[0]?.from).toBeLessThanOrEqual(start);
          expect(buckets.at(-1)?.to).toBeGreaterThan(start + length);
          for (const [i, { from, to }] of buckets.entries()) {
            expect([from % 900, to % 900, buckets[i + 1]?.from ?? to]).toEqual([0, 0, to]);
          }
        },
      ),
    );
  });
});

it.each([
  ['Europe/Berlin', true],
  ['UTC', true],
  ['Nowhere/Town', false],
  ['', false],
])('%s is a time zone: %s', (name, is) => {
  expect(isTimeZone(name)).toBe(is);
});
