import { closed, optional } from '../../http/bodies/body';
import { integer, text } from '../../http/shape';

const DAYS_MAX = 36_500;
const REASON_MAX = 1_000;

/** `PUT /retention/{org}`. */
export const RetentionInput = closed('RetentionInput', {
  attachments_days: optional(
    integer('Attachments of attestations older than this number of days are dropped; never if omitted.', {
      min: 1,
      max: DAYS_MAX,
      example: 3650,
    }),
  ),
  payloads_days: optional(
    integer('Payloads and user data of attestations older than this number of days are dropped; never if omitted.', {
      min: 1,
      max: DAYS_MAX,
      example: 1825,
    }),
  ),
  snapshots_days: optional(
    integer('Full states of snapshots older than this number of days are dropped; never if omitted.', {
      min: 1,
      max: DAYS_MAX,
      example: 365,
    }),
  ),
});

/** `PUT /retention/{org}/holds/{flow}`, and the same path with a trail. */
export const HoldInput = closed('HoldInput', {
  reason: text('The reason of the hold.', { max: REASON_MAX, example: 'Case 2026-17' }),
});
