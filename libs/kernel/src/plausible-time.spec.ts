import { plausibleTime } from './plausible-time';

describe('a time that others report', () => {
  it.each([0, -62_135_596_800, 315_532_800, 946_684_799.9, NaN, null, undefined])(
    'is null where it is a placeholder: %p',
    (seconds) => {
      expect(plausibleTime(seconds)).toBeNull();
    },
  );

  it.each([946_684_800, 1_795_720_000.5])('is kept where it is plausible: %p', (seconds) => {
    expect(plausibleTime(seconds)).toBe(seconds);
  });
});
