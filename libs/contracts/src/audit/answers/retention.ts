import { component, integer, list, nullable, number, object, type TypeOf, text } from '../../http/shape';

const days = nullable(integer('Null: never.'));

/** The rule by which data was dropped. */
export const droppedAnswer = component('Dropped', {
  what: text('`attachments`, `payloads` or `snapshots`.'),
  older_than_days: integer('The rule.'),
  before: number('Data recorded before this time (epoch seconds) was dropped, unless it was held.'),
  dropped_at: number('When the rule was last applied, in epoch seconds.'),
  event: integer('Position of that event in the stream of the retention.'),
});
export type DroppedAnswer = TypeOf<typeof droppedAnswer>;

const hold = object({
  flow: text('Name of the flow.'),
  trail: nullable(text('Null: every trail of the flow.')),
  reason: text(),
  placed_by: text('Name of the user or service account.'),
  placed_at: number('Epoch seconds.'),
  dropped_before: list(
    object({ what: text('`attachments` or `payloads`.'), before: number('Epoch seconds.') }),
    'What was dropped before the hold was placed. Of data recorded before this time, the hold keeps what was not removed yet; `dropped` of an attestation says what is gone.',
  ),
});

export const retentionAnswer = component('Retention', {
  attachments_days: days,
  payloads_days: days,
  snapshots_days: days,
  holds: list(hold, 'Newest first.'),
  dropped: list(droppedAnswer, 'The dropped kinds of data, one entry for each rule.'),
});
export type RetentionAnswer = TypeOf<typeof retentionAnswer>;

const droppedExample: DroppedAnswer = {
  what: 'payloads',
  older_than_days: 1825,
  before: 1700000000,
  dropped_at: 1857680000.5,
  event: 7,
};

export const retentionExample: RetentionAnswer = {
  attachments_days: 3650,
  payloads_days: 1825,
  snapshots_days: null,
  holds: [
    {
      flow: 'shop-web',
      trail: null,
      reason: 'Case 2026-17',
      placed_by: 'ada',
      placed_at: 1700000000.5,
      dropped_before: [{ what: 'payloads', before: 1542240000 }],
    },
  ],
  dropped: [droppedExample],
};
