import { NO_RETENTION } from '@assurance/model';
import { mayBeRemoved } from './may-be-removed';

it('lets data go an hour after the newest drop of any kind', () => {
  const [at, hour] = [1_790_000_000_000, 3_600_000];
  const rule = { days: 30, before: at, seq: 1 };
  const dropped = {
    ...NO_RETENTION.dropped,
    attachments: [{ ...rule, what: 'attachments', at: at - hour } as const],
    payloads: [{ ...rule, what: 'payloads', at } as const],
  };
  expect([at + hour - 1, at + hour].map((now) => mayBeRemoved({ dropped }, now))).toEqual([false, true]);
  expect(mayBeRemoved(NO_RETENTION, at)).toBe(true);
});
