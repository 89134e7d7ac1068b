import type { Environment } from '@assurance/contracts/environments/documents';
import type { ReportMissed } from '@assurance/contracts/environments/events';
import { deciderSpec } from '@assurance/testing/deciders/decider-spec';
import { replayOf } from '@assurance/testing/deciders/replay';
import { environmentCreated, PROD } from '@assurance/testing/deciders/samples';
import { noChange } from '@assurance/kernel';
import fc from 'fast-check';
import { environment } from './environment';
import type { ReportFrequency } from './reports';
import {
  activityAfter,
  decideReportMissed,
  lateAfter,
  lateSince,
  missingNote,
  frequencyAfter,
  type SilenceFacts,
} from './silence';

const NOW = 1_795_720_000_000;
const MINUTE = 60_000;
/** The grace for reports that were not noted. */
const GRACE = 30_000;

const reported = (...intervals: readonly number[]) =>
  intervals.reduce<ReportFrequency>((rhythm, ms) => frequencyAfter(rhythm, rhythm.receivedAt + ms), {
    receivedAt: NOW - intervals.reduce((sum, ms) => sum + ms, 0),
    intervals: [],
  });
const each = (count: number, ms: number) => reported(...Array.from({ length: count - 1 }, () => ms));

describe('when an environment is late', () => {
  it('is computed from ten reports, as three times the median interval', () => {
    expect(lateAfter({}, each(9, 10 * MINUTE))).toBeNull();
    expect(lateAfter({}, each(10, 10 * MINUTE))).toBe(30 * MINUTE);
    expect(lateAfter({}, reported(...Array.from({ length: 9 }, () => 10 * MINUTE), 5_000 * MINUTE))).toBe(30 * MINUTE);
  });

  it('is after five minutes at least', () => {
    expect(lateAfter({}, each(10, MINUTE))).toBe(5 * MINUTE);
  });

  it('is computed from the last twenty intervals only', () => {
    const rhythm = reported(...Array.from({ length: 30 }, (_, i) => (i < 10 ? 1_000 * MINUTE : 10 * MINUTE)));
    expect([rhythm.intervals.length, lateAfter({}, rhythm)]).toEqual([20, 30 * MINUTE]);
  });

  it('is what is set, as soon as it was reported once', () => {
    expect(lateAfter({ reportEvery: 60 }, { intervals: [] })).toBe(MINUTE);
    expect(lateAfter({ reportEvery: 0 }, { intervals: [] })).toBeNull();
  });

  it('is not moved by reports of the same moment, nor by a clock that is set back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10 * MINUTE, max: 999 }), (ms) => {
        const before = each(10, 10 * MINUTE);
        const after = frequencyAfter(before, before.receivedAt + ms);
        expect(after.intervals).toEqual(before.intervals);
        expect(after.receivedAt).toBeGreaterThanOrEqual(before.receivedAt);
      }),
    );
  });
});

describe('what is noted of reports', () => {
  const live = (at: number) => ({ observedAt: at, receivedAt: at });

  it('is when it is late without another', () => {
    expect(activityAfter({ org: 'acme', reportEvery: 60 }, null, live(NOW))).toMatchObject({
      lateAt: NOW + MINUTE + GRACE,
    });
    expect(activityAfter({ org: 'acme' }, null, live(NOW))).not.toHaveProperty('lateAt');
  });

  it('is that it is not late any more', () => {
    const late = { ...activityAfter({ org: 'acme', reportEvery: 60 }, null, live(NOW)), late: true } as const;
    expect(activityAfter({ org: 'acme', reportEvery: 60 }, late, live(NOW + 9 * MINUTE))).not.toHaveProperty('late');
  });

  it('stays where a report tells history', () => {
    const before = activityAfter({ org: 'acme', reportEvery: 60 }, null, live(NOW));
    const after = activityAfter({ org: 'acme', reportEvery: 60 }, before, {
      observedAt: NOW - 70 * MINUTE,
      receivedAt: NOW + MINUTE,
    });
    expect(after).toMatchObject({ rhythm: before.rhythm, lateAt: before.lateAt });
  });

  it('begins anew after a revival, because an archived environment has no reports', () => {
    const before = activityAfter({ org: 'acme' }, null, live(NOW));
    const after = activityAfter({ org: 'acme', revivals: 1 }, before, live(NOW + 500 * MINUTE));
    expect(after.rhythm).toEqual({ receivedAt: NOW + 500 * MINUTE, intervals: [] });
  });
});

const spec = deciderSpec({
  replay: replayOf(environment, PROD),
  decide: (state: Environment | null, silence: SilenceFacts) =>
    state === null ? noChange : decideReportMissed(state, silence),
});
const created = environmentCreated({ reportEvery: 60 });
const missed = (lastReceivedAt: number): ReportMissed => ({
  type: 'ReportMissed',
  version: 1,
  data: { lastReceivedAt, dueAt: lastReceivedAt + MINUTE },
});
const silent = (silence: Partial<SilenceFacts> = {}): SilenceFacts => ({
  rhythm: { receivedAt: NOW, intervals: [] },
  listeningSince: 0,
  at: NOW + MINUTE + GRACE,
  ...silence,
});

describe('looking for a missing report', () => {
  it('records it once the time is over', () => {
    spec.given(created).when(silent()).thenRecords(missed(NOW));
  });

  it('records nothing a moment before', () => {
    spec
      .given(created)
      .when(silent({ at: NOW + MINUTE + GRACE - 1 }))
      .thenNothing();
  });

  it('records nothing again until it was reported again', () => {
    spec.given(created, missed(NOW)).when(silent()).thenNothing();
    spec
      .given(created, missed(NOW - 9 * MINUTE))
      .when(silent())
      .thenRecords(missed(NOW));
  });

  it('is not notified again if the expected interval changes while it is late', () => {
    const updated = { type: 'EnvironmentUpdated', version: 1, data: { reportEvery: 120 } } as const;
    const data = { lastReceivedAt: NOW, dueAt: NOW + 2 * MINUTE, untold: true } as const;
    const at = NOW + 9 * MINUTE;
    spec
      .given(created, missed(NOW), updated)
      .when(silent({ at }))
      .thenRecords({ type: 'ReportMissed', version: 1, data });
    spec
      .given(created, missed(NOW - 9 * MINUTE), updated)
      .when(silent({ at }))
      .thenRecords({ type: 'ReportMissed', version: 1, data: { lastReceivedAt: NOW, dueAt: NOW + 2 * MINUTE } });
  });

  it('records nothing before an interval was listened to', () => {
    const listeningSince = NOW + 5 * MINUTE;
    spec
      .given(created)
      .when(silent({ listeningSince, at: listeningSince + MINUTE }))
      .thenNothing();
    spec
      .given(created)
      .when(silent({ listeningSince, at: listeningSince + MINUTE + GRACE }))
      .thenRecords(missed(NOW));
  });

  it('records nothing for archived environments and those without an expected interval', () => {
    spec.given(created, { type: 'EnvironmentArchived', version: 1, data: {} }).when(silent()).thenNothing();
    spec.given(environmentCreated()).when(silent()).thenNothing();
    spec
      .given(environmentCreated())
      .when(silent({ rhythm: null }))
      .thenNothing();
  });

  it('counts from the settings where no report came at all, and is notified once', () => {
    const since = replayOf(environment, PROD)([created])?.lastModifiedAt ?? 0;
    const never = (at: number, listeningSince = 0) => silent({ rhythm: null, listeningSince, at });
    const data = { lastReceivedAt: 0, dueAt: since + MINUTE };
    const missedFirst = { type: 'ReportMissed', version: 1, data } as const;
    spec
      .given(created)
      .when(never(since + MINUTE + GRACE - 1))
      .thenNothing();
    spec
      .given(created)
      .when(never(since + MINUTE + GRACE))
      .thenRecords(missedFirst);
    spec
      .given(created)
      .when(never(NOW, NOW - MINUTE))
      .thenNothing();
    spec.given(created, missedFirst).when(never(NOW)).thenNothing();
    const updated = { type: 'EnvironmentUpdated', version: 1, data: { reportEvery: 120 } } as const;
    const after = replayOf(environment, PROD)([created, missedFirst, updated])?.lastModifiedAt ?? 0;
    spec
      .given(created, missedFirst, updated)
      .when(never(NOW))
      .thenRecords({ ...missedFirst, data: { lastReceivedAt: 0, dueAt: after + 2 * MINUTE, untold: true } });
    const logical = environmentCreated({ reportEvery: 60, type: 'logical' });
    spec.given(logical).when(never(NOW)).thenNothing();
  });
});

describe('a missing note about reports', () => {
  const reported = { observedAt: NOW, receivedAt: NOW, revivals: 0 };
  const state = (fields: Partial<Environment> = {}): Environment => ({
    ...(replayOf(environment, PROD)([created]) as Environment),
    ...fields,
  });
  const due = NOW + MINUTE + GRACE;

  it('is the newest report, and when the next one is due', () => {
    expect(missingNote(state({ reported }), null, 0)).toMatchObject({
      lastReportedAt: NOW,
      rhythm: { receivedAt: NOW, intervals: [] },
      lateAt: due,
    });
    expect(missingNote(state({ reportEvery: 0 }), null, 0)).toBeNull();
  });

  it('is when the first report is due, until that is noted or was missed', () => {
    const { lastModifiedAt } = state();
    const noted = missingNote(state(), null, 0);
    expect(noted).toMatchObject({ lastReportedAt: 0, lateAt: lastModifiedAt + MINUTE + GRACE });
    expect(missingNote(state(), noted, 0)).toBeNull();
    expect(missingNote(state({ reportEvery: 120 }), noted, 0)).toBeNull();
    expect(missingNote(state({ reportEvery: 0 }), noted, 0)).not.toHaveProperty('lateAt');
    const missedFirst = { lastReceivedAt: 0, dueAt: lastModifiedAt + MINUTE };
    const late = { lastReportedAt: 0, late: true } as const;
    expect(missingNote(state({ missed: missedFirst }), late, 0)).toBeNull();
    expect(lateSince(state({ missed: missedFirst }), late)).toBe(missedFirst.dueAt);
    expect(lateSince(state({ missed: missedFirst }), activityAfter(state(), late, reported))).toBeNull();
    expect(activityAfter(state(), late, reported)).toEqual(activityAfter(state(), null, reported));
  });

  it('is an earlier time where it is expected more often now', () => {
    const noted = activityAfter(state({ reportEvery: 3_600 }), null, reported);
    expect(missingNote(state({ reported }), noted, 0)).toMatchObject({ lateAt: due });
    // The check was postponed, because no report was possible before.
    const late = { ...noted, lateAt: NOW + 61 * MINUTE };
    expect(missingNote(state({ reported }), late, NOW + 60 * MINUTE)).toBeNull();
  });

  it('is nothing where it was noted, where it is late, and of reports of the same half minute', () => {
    const noted = activityAfter(state(), null, reported);
    expect(missingNote(state({ reported }), noted, 0)).toBeNull();
    const soon = { ...reported, receivedAt: NOW + GRACE - 1 };
    expect(missingNote(state({ reported: soon }), noted, 0)).toBeNull();
    const { lateAt: _, ...rest } = noted;
    const expected = { lastReceivedAt: NOW, dueAt: NOW + MINUTE };
    expect(missingNote(state({ reported, missed: expected }), { ...rest, late: true }, 0)).toBeNull();
    // Its setting changed since, so it is checked again.
    expect(missingNote(state({ reported }), { ...rest, late: true }, 0)).toMatchObject({ lateAt: due });
    expect(missingNote(state({ reported }), { ...rest, late: true }, 0)).not.toHaveProperty('late');
  });

  it('is that no report of an archived environment is expected', () => {
    const noted = activityAfter(state(), null, reported);
    expect(missingNote(state({ reported, archived: true }), noted, 0)).not.toHaveProperty('lateAt');
    expect(missingNote(state({ reported, archived: true }), null, 0)).toBeNull();
  });
});
