import { body } from '../../http/bodies/body';
import { Doc, Optional, Text, WholeNumber } from '../../http/bodies/rules';

const DAYS_MAX = 36_500;
const REASON_MAX = 1_000;

/** `PUT /retention/{org}`. */
export const RetentionInput = body('RetentionInput', {
  attachments_days: [
    Doc('Attachments of attestations older than this number of days are dropped; never if omitted.', 3650),
    Optional(WholeNumber(1, DAYS_MAX)),
  ],
  payloads_days: [
    Doc('Payloads and user data of attestations older than this number of days are dropped; never if omitted.', 1825),
    Optional(WholeNumber(1, DAYS_MAX)),
  ],
  snapshots_days: [
    Doc('Full states of snapshots older than this number of days are dropped; never if omitted.', 365),
    Optional(WholeNumber(1, DAYS_MAX)),
  ],
});

/** `PUT /retention/{org}/holds/{flow}`, and the same path with a trail. */
export const HoldInput = body('HoldInput', {
  reason: [Doc('The reason of the hold.', 'Case 2026-17'), Text({ max: REASON_MAX })],
});
