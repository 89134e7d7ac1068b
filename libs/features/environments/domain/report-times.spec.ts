import fc from 'fast-check';
import type { ReportTimes } from '@assurance/contracts/environments/documents';
import { err, ok } from '@assurance/kernel';
import { observedTime, observedWithoutReport, reportsSoFar } from './report-times';
const NOW = 1_795_720_000_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const at = (observedAt: number, revivals = 0, receivedAt = observedAt): ReportTimes => ({
  observedAt,
  receivedAt,
  revivals,
});
const none = { lastChangedAt: null };
const after = (observedAt: number) => reportsSoFar({ reported: at(observedAt) });

describe('the reports of an environment so far', () => {
  it('are those of its events and those that were noted', () => {
    const { newest, previous } = reportsSoFar({ reported: at(5) }, null, at(9), undefined, at(7));
    expect([newest, previous]).toEqual([at(9), at(9)]);
  });

  it('are none before the first', () => {
    expect(reportsSoFar({}, null)).toEqual({ newest: null, previous: null });
  });

  it('begin again when it is revived', () => {
    expect(reportsSoFar({ reported: at(9), revivals: 1 }, at(8))).toEqual({ newest: at(9), previous: null });
    expect(reportsSoFar({ reported: at(9), revivals: 1 }, at(8, 1))).toEqual({ newest: at(9), previous: at(8, 1) });
  });
});

describe('when a report was observed', () => {
  it('is the time that it names, else the time of the service', () => {
    expect(observedTime(none, NOW - 5, after(NOW - 9), NOW)).toEqual(ok(NOW - 5));
    expect(observedTime(none, null, after(NOW - 9), NOW)).toEqual(ok(NOW));
  });

  it('is the time of the newest report where it is up to a minute earlier', () => {
    expect(observedTime(none, NOW - MINUTE, after(NOW), NOW)).toEqual(ok(NOW));
  });

  it('is refused where it is earlier still', () => {
    const requested = NOW - MINUTE - 1;
    expect(observedTime(none, requested, after(NOW), NOW)).toEqual(
      err({ kind: 'observed-too-early', requested, newest: NOW }),
    );
  });

  it('is now where it is up to a minute ahead, and refused where it is more', () => {
    expect(observedTime(none, NOW + MINUTE, after(0), NOW)).toEqual(ok(NOW));
    const requested = NOW + MINUTE + 1;
    expect(observedTime(none, requested, after(0), NOW)).toEqual(err({ kind: 'observed-ahead', requested }));
  });

  it('is not before the newest snapshot, which may be of no report', () => {
    expect(observedTime({ lastChangedAt: NOW }, NOW - 9 * HOUR, after(0), NOW)).toEqual(ok(NOW));
  });

  it('never decreases and is never ahead, whatever reports name', () => {
    const requested = fc.option(fc.integer({ min: -2 * HOUR, max: 2 * MINUTE }));
    fc.assert(
      fc.property(fc.array(requested), (all) => {
        let [newest, now] = [at(NOW - HOUR), NOW];
        for (const report of all) {
          now += 1_000;
          const time = observedTime(none, report === null ? null : now + report, { newest, previous: newest }, now);
          if (!time.ok) continue;
          expect(time.value).toBeGreaterThanOrEqual(newest.observedAt);
          expect(time.value).toBeLessThanOrEqual(now);
          newest = at(time.value);
        }
      }),
    );
  });
});

describe('when a snapshot without a report was observed', () => {
  it('is now', () => {
    expect(observedWithoutReport({ lastChangedAt: 7 }, after(NOW - 9 * HOUR), NOW)).toBe(NOW);
  });

  it('is the time of the newest report where that told history', () => {
    const reports = reportsSoFar({ reported: at(NOW - 9 * HOUR, 0, NOW - 5) });
    expect(observedWithoutReport({ lastChangedAt: 7 }, reports, NOW)).toBe(NOW - 9 * HOUR);
    expect(observedWithoutReport({ lastChangedAt: NOW - HOUR }, reports, NOW)).toBe(NOW - HOUR);
  });
});
