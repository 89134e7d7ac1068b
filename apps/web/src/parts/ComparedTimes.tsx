import { useNow } from '../ui';
import { formatMoment } from '../ui/format';
import { useZone } from '../ui/zone';

interface Props {
  /** Epoch seconds. */
  readonly start: number;
  /** Null: now. */
  readonly end: number | null;
  readonly before: { readonly start: number; readonly end: number };
}

/** Of which time figures are, and with which time `before` they are compared. */
export function ComparedTimes({ start, end, before }: Props) {
  const [now, zone] = [useNow(), useZone()];
  const text = (time: number | null) => (time === null ? 'now' : formatMoment(time, now, zone));
  return `from ${text(start)} to ${text(end)}; before: from ${text(before.start)} to ${text(before.end)}`;
}
