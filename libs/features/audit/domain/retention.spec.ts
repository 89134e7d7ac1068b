import type { DropRule, RetentionEvent } from '@assurance/contracts/audit/events';
import { droppedBy, mayBeGone } from '@assurance/evidence/domain/dropped';
import { retention } from '@assurance/evidence/domain/retention';
import { deciderSpec } from '@assurance/testing/deciders/decider-spec';
import { replayOf } from '@assurance/testing/deciders/replay';
import { decideDrop } from './drop-data';
import { decidePlaceHold, decideReleaseHold, HOLDS_MAX } from './hold';
import { decideSetRetention } from './set-retention';

const DAY = 86_400_000;
const replay = replayOf(retention);
const never = { attachments: null, payloads: null, snapshots: null };
const set = (days: object) => ({ type: 'RetentionSet', version: 1, data: { ...never, ...days } }) as const;
const holdPlaced = (flow: string, trail: string | null = null, reason = 'case 7') =>
  ({ type: 'HoldPlaced', version: 1, data: { flow, trail, reason } }) as const;
const released = (flow: string, trail: string | null = null) =>
  ({ type: 'HoldReleased', version: 1, data: { flow, trail } }) as const;
const rule = (what: DropRule['what'], days: number, before: number, from = 0) => ({
  what,
  days,
  before: before * DAY,
  from: from * DAY,
});
const dropped = (...rules: DropRule[]) => ({ type: 'EvidenceDropped', version: 1, data: { rules } }) as const;

describe('setting the retention', () => {
  const spec = deciderSpec({ replay, decide: decideSetRetention });

  it('records a changed value, and no unchanged value', () => {
    spec
      .given()
      .when({ ...never, payloads: 30 })
      .thenRecords(set({ payloads: 30 }));
    spec
      .given(set({ payloads: 30 }))
      .when({ ...never, payloads: 30 })
      .thenNothing();
    spec.given().when(never).thenNothing();
    spec
      .given(set({ payloads: 30 }))
      .when(never)
      .thenRecords(set({}));
  });
});

describe('placing a hold', () => {
  const spec = deciderSpec({ replay, decide: decidePlaceHold });
  const input = { flow: 'f', trail: 't', reason: 'case 7' };

  it('records it once, and again for another reason or after its release', () => {
    spec.given().when(input).thenRecords(holdPlaced('f', 't'));
    spec.given(holdPlaced('f', 't')).when(input).thenNothing();
    spec
      .given(holdPlaced('f', 't', 'other'))
      .when(input)
      .thenRecords(holdPlaced('f', 't'));
    spec.given(holdPlaced('f', 't'), released('f', 't')).when(input).thenRecords(holdPlaced('f', 't'));
    spec.given(holdPlaced('f')).when(input).thenRecords(holdPlaced('f', 't'));
  });

  it('is refused where there are as many as may be', () => {
    const many = Array.from({ length: HOLDS_MAX }, (_, i) => holdPlaced(`flow ${i}`));
    spec
      .given(...many)
      .when(input)
      .thenRefuses({ kind: 'too-many-holds', limit: HOLDS_MAX });
  });
});

describe('releasing a hold', () => {
  const spec = deciderSpec({ replay, decide: decideReleaseHold });
  const input = { flow: 'f', trail: null, shown: 'shop' };

  it('records it once', () => {
    spec.given(holdPlaced('f')).when(input).thenRecords(released('f'));
    spec.given(holdPlaced('f'), released('f')).when(input).thenNothing();
  });

  it('is refused where nothing is held', () => {
    spec.given(holdPlaced('f', 't')).when(input).thenRefuses({ kind: 'hold-unknown', scope: 'shop' });
    spec
      .given()
      .when({ ...input, flow: 'constructor' })
      .thenRefuses({ kind: 'hold-unknown', scope: 'shop' });
  });
});

describe('dropping', () => {
  const spec = deciderSpec({ replay, decide: decideDrop });
  const at = (days: number) => ({ now: days * DAY + 7 });

  it('records the rules that are due, once a day', () => {
    spec
      .given(set({ payloads: 30, attachments: 10 }))
      .when(at(100))
      .thenRecords(dropped(rule('attachments', 10, 90), rule('payloads', 30, 70)));
    const before = [set({ payloads: 30 }), dropped(rule('payloads', 30, 70))];
    spec
      .given(...before)
      .when(at(100))
      .thenNothing();
    spec
      .given(...before)
      .when(at(101))
      .thenRecords(dropped(rule('payloads', 30, 71, 70)));
  });

  it('is nothing without a rule, and while more days than before bring nothing new', () => {
    spec.given().when(at(100)).thenNothing();
    spec.given(holdPlaced('f')).when(at(100)).thenNothing();
    spec
      .given(set({ payloads: 30 }), dropped(rule('payloads', 30, 70)), set({ payloads: 60 }))
      .when(at(101))
      .thenNothing();
  });

  it('begins from the start again where a hold was released, and only then', () => {
    const before = [set({ payloads: 30 }), holdPlaced('f'), dropped(rule('payloads', 30, 70))];
    spec
      .given(...before)
      .when(at(100))
      .thenNothing();
    spec
      .given(...before, released('f'))
      .when(at(100))
      .thenRecords(dropped(rule('payloads', 30, 70)));
    spec
      .given(...before, released('f'), dropped(rule('payloads', 30, 70)))
      .when(at(100))
      .thenNothing();
    spec
      .given(set({ payloads: 30 }), dropped(rule('payloads', 30, 70)), holdPlaced('f'), released('f'))
      .when(at(100))
      .thenRecords(dropped(rule('payloads', 30, 70)));
  });
});

describe('what was dropped', () => {
  const of = (...events: RetentionEvent[]) => {
    const state = replay(events);
    return (day: number, flow: string, trail: string) =>
      droppedBy(state, 'payloads', { at: day * DAY, flow, trail })?.days ?? null;
  };
  const gone = (...events: RetentionEvent[]) => {
    const state = replay(events);
    return (day: number, flow: string, trail: string) =>
      mayBeGone(state, 'payloads', { at: day * DAY, flow, trail })?.days ?? null;
  };
  const first = [set({ payloads: 30 }), dropped(rule('payloads', 30, 70))];

  it('is older than its rule, and tells by which rule it went first', () => {
    const by = of(...first, set({ payloads: 10 }), dropped(rule('payloads', 10, 90, 70)));
    expect([by(69, 'f', 't'), by(70, 'f', 't'), by(90, 'f', 't')]).toEqual([30, 10, null]);
  });

  it('is nothing that was held then, by its trail or its flow', () => {
    const before = [holdPlaced('f'), holdPlaced('g', 't'), ...first];
    for (const by of [of(...before), gone(...before)])
      expect([by(1, 'f', 't'), by(1, 'g', 't'), by(1, 'g', 'u')]).toEqual([null, null, 30]);
  });

  it('is nothing that a later hold protects, of which some may be gone', () => {
    const later = [...first, holdPlaced('f'), dropped(rule('payloads', 30, 80, 70))];
    expect([of(...later)(69, 'f', 't'), of(...later)(75, 'f', 't'), of(...later)(69, 'g', 't')]).toEqual([
      null,
      null,
      30,
    ]);
    expect([gone(...later)(69, 'f', 't'), gone(...later)(70, 'f', 't'), gone(...later)(79, 'g', 't')]).toEqual([
      30,
      null,
      30,
    ]);
    const ofTrail = [holdPlaced('f'), ...later.slice(0, 2), holdPlaced('f', 't')];
    expect(gone(...ofTrail)(69, 'f', 't')).toBeNull();
    const again = [...later, released('f'), dropped(rule('payloads', 30, 80)), holdPlaced('f')];
    expect([of(...again)(75, 'f', 't'), gone(...again)(79, 'f', 't'), gone(...again)(80, 'f', 't')]).toEqual([
      null,
      30,
      null,
    ]);
  });

  it('is what was held once the hold is released and the next drop came', () => {
    const before = [holdPlaced('f'), ...first, released('f')];
    expect(of(...before)(1, 'f', 't')).toBeNull();
    expect(of(...before, dropped(rule('payloads', 30, 70)))(1, 'f', 't')).toBe(30);
    expect(Object.keys(replay([...before, dropped(rule('payloads', 30, 70))])?.holds ?? {})).toEqual([]);
  });

  it('is nothing of a trail whose own hold is released while its flow is held, whichever came first', () => {
    const end = [...first, released('f', 't'), dropped(rule('payloads', 30, 70))];
    expect(of(holdPlaced('f'), holdPlaced('f', 't'), ...end)(1, 'f', 't')).toBeNull();
    expect(
      of(holdPlaced('f', 't'), dropped(rule('payloads', 30, 60)), holdPlaced('f'), ...end)(1, 'f', 't'),
    ).toBeNull();
    const flowFirst = [
      holdPlaced('f'),
      ...first,
      holdPlaced('f', 't'),
      released('f'),
      dropped(rule('payloads', 30, 70)),
    ];
    expect(of(...flowFirst)(1, 'f', 't')).toBeNull();
    expect(of(...flowFirst)(1, 'f', 'u')).toBe(30);
  });

  it('stays dropped where more days are set later, and what a released hold protected follows the new rule', () => {
    const by = of(holdPlaced('f'), ...first, set({ payloads: 60 }), released('f'), dropped(rule('payloads', 60, 41)));
    expect([by(40, 'g', 't'), by(69, 'g', 't'), by(40, 'f', 't'), by(41, 'f', 't')]).toEqual([30, 30, 30, null]);
  });
});
