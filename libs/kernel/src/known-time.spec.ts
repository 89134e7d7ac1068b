import { knownTime } from './known-time';

describe('a time of others', () => {
  it.each([0, -62_135_596_800, 315_532_800, 946_684_799.9, NaN, null, undefined])('is unknown: %p', (seconds) => {
    expect(knownTime(seconds)).toBeNull();
  });

  it.each([946_684_800, 1_795_720_000.5])('is known: %p', (seconds) => {
    expect(knownTime(seconds)).toBe(seconds);
  });
});
