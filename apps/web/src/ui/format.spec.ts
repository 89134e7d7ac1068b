import {
  formatBytes,
  formatDuration,
  formatExact,
  formatMoment,
  formatRelative,
  isAhead,
  isKnownTime,
  nameOfType,
  wordsOf,
  wordsOfChange,
} from './format';

describe('how figures are written', () => {
  it.each([
    [1_000_120, false],
    [1_000_121, true],
    [999_999, false],
  ])('says of something recorded at %d whether a clock was ahead', (time, ahead) => {
    expect(isAhead(time, 1_000_000)).toBe(ahead);
  });

  it.each([
    [0, '< 1 s'],
    [40, '40 s'],
    [600, '10 min'],
    [3_660, '1 h 1 min'],
    [86_400 * 2 + 60, '2 d'],
    [-90, '−1 min 30 s'],
  ])('writes %d seconds as %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });

  it.each([
    [0, false],
    [315_532_800, false],
    [-62_135_596_800, false],
    [null, false],
    [undefined, false],
    [946_684_800, true],
    [1_700_000_000, true],
  ])('takes %j for a known time: %j', (time, isKnown) => {
    expect(isKnownTime(time)).toBe(isKnown);
  });

  it.each([
    [1000, 'just now'],
    [960, '40 seconds ago'],
    [1000 - 7200, '2 hours ago'],
    [1000 - 47 * 3600, '1 day ago'],
    [1000 - 13 * 86_400, '1 week ago'],
    [1000 - 700 * 86_400, '1 year ago'],
    [1000 + 3 * 86_400, 'in 3 days'],
  ])('writes the time %d, seen from 1000, as %s', (time, text) => {
    expect(formatRelative(time, 1000)).toBe(text);
  });

  it('writes times with what is needed to tell them apart', () => {
    const [time, soon, later] = ['2026-11-26T18:59:07Z', '2026-12-01', '2027-02-01'].map(
      (text) => Date.parse(text) / 1000,
    ) as [number, number, number];
    expect(formatMoment(time, soon, 'utc')).toBe('26 Nov, 18:59 UTC');
    expect(formatMoment(time, later, 'utc')).toBe('26 Nov 2026, 18:59 UTC');
    expect(formatExact(time, 'utc')).toBe('26 Nov 2026, 18:59:07 UTC');
  });

  it('writes sizes and names in words', () => {
    expect([formatBytes(12), formatBytes(2048), formatBytes(3 * 1024 ** 2)]).toEqual(['12 B', '2.0 KiB', '3.0 MiB']);
    expect(wordsOf('policy_created')).toBe('Policy created');
    expect([nameOfType('custom:coverage'), nameOfType('junit')]).toEqual(['coverage', 'junit']);
    expect(wordsOfChange('updated-provenance')).toBe('Updated provenance');
    expect(wordsOfChange('started-non-compliant')).toBe('Started non-compliant');
  });
});
