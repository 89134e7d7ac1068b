import {
  type DropRule,
  type HoldScope,
  RETAINED,
  type Retained,
  type RetentionDays,
  type RetentionEvent,
} from '@assurance/contracts/audit/events';
import { type Aggregate, UnexpectedEvent } from '@assurance/contracts/events/aggregate';
import type { EventMeta } from '@assurance/contracts/events/event';
import { keptForSureFrom } from './dropped';
import type { DropInfo, Hold, Retention } from './retention-state';

/** Returns the key of a hold's scope. The id of a flow has no slash. */
export function holdKey({ flow, trail }: HoldScope): string {
  return trail === null ? flow : `${flow}/${trail}`;
}

const NEVER: RetentionDays = { attachments: null, payloads: null, snapshots: null };

/** The retention of an organization that never set one. */
export const NO_RETENTION: Omit<Retention, 'org'> = {
  days: NEVER,
  holds: {},
  dropped: { attachments: [], payloads: [], snapshots: [] },
};

export const retention: Aggregate<Retention, RetentionEvent, 'retention'> = {
  kind: 'retention',
  states: { name: 'retention', indexes: [] },
  schemaVersion: 2,
  evolve(before, event, meta) {
    const state = before ?? { org: meta.org, ...NO_RETENTION };
    switch (event.type) {
      case 'RetentionSet':
        return { ...state, days: event.data };
      case 'HoldPlaced':
        return { ...state, holds: { ...state.holds, [holdKey(event.data)]: holdOf(state, event.data, meta) } };
      case 'HoldReleased': {
        const key = holdKey(event.data);
        const hold = state.holds[key];
        if (hold === undefined) throw new UnexpectedEvent(event, meta);
        return { ...state, holds: { ...state.holds, [key]: { ...hold, released: true } } };
      }
      case 'EvidenceDropped':
        return withoutEndedHolds(event.data.rules.reduce((now, rule) => applyDropRule(now, rule, meta), state));
    }
  },
};

/**
 * Creates a hold. It protects all data that is still there. Of what was dropped before, some may be gone, unless another hold on the same scope
 * protected it.
 */
function holdOf(state: Retention, scope: HoldScope & { readonly reason: string }, { at, actor }: EventMeta): Hold {
  const { flow, trail, reason } = scope;
  const gone = (what: Retained) => Math.min(keptForSureFrom(state, what, scope), droppedUntil(state, what));
  const goneBefore = { attachments: gone('attachments'), payloads: gone('payloads'), snapshots: gone('snapshots') };
  const keptFrom = { attachments: 0, payloads: 0, snapshots: 0 };
  return { flow, trail, reason, at, by: actor, released: false, keptFrom, goneBefore };
}

/** Applies a drop rule. It also drops data of a released hold, unless a hold on its flow is in force. */
function applyDropRule(state: Retention, { what, days, before }: DropRule, { at, seq }: EventMeta): Retention {
  const earlier = state.dropped[what];
  const entry: DropInfo = { what, days, before: Math.max(before, droppedUntil(state, what)), at, seq };
  const others = earlier.at(-1)?.days === days ? earlier.slice(0, -1) : earlier;
  const holds = Object.entries(state.holds).map(([key, hold]): [string, Hold] => {
    if (isInForce(state, hold)) return [key, hold];
    const keptFrom = { ...hold.keptFrom, [what]: Math.max(hold.keptFrom[what], before) };
    const goneBefore = { ...hold.goneBefore, [what]: Math.max(hold.goneBefore[what], before) };
    return [key, { ...hold, keptFrom, goneBefore }];
  });
  return { ...state, holds: Object.fromEntries(holds), dropped: { ...state.dropped, [what]: [...others, entry] } };
}

/** Removes released holds that no longer protect anything. */
function withoutEndedHolds(state: Retention): Retention {
  const remaining = Object.entries(state.holds).filter(
    ([, hold]) => isInForce(state, hold) || RETAINED.some((what) => hold.keptFrom[what] < droppedUntil(state, what)),
  );
  return { ...state, holds: Object.fromEntries(remaining) };
}

/** Whether a hold, or the hold on its flow, is not released. */
export function isInForce({ holds }: Pick<Retention, 'holds'>, { released, flow }: Hold): boolean {
  return !released || (Object.hasOwn(holds, flow) && holds[flow]?.released === false);
}

/** Returns a time (integer milliseconds; 0: nothing is dropped). All data of a kind from before this time is dropped, unless a hold protects it. */
export function droppedUntil({ dropped }: Pick<Retention, 'dropped'>, kind: Retained): number {
  return dropped[kind].at(-1)?.before ?? 0;
}
