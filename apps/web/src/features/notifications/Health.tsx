import { Badge, Verdict } from '../../ui';
import type { Notification } from './triggers';

/** Whether the last message to a target was not delivered. The notification counts as failing only after several such messages. */
const hasFailed = ({ last_success_at = 0, last_failure_at = 0 }: Notification['targets'][number]) =>
  (last_failure_at ?? 0) > (last_success_at ?? 0);

/** Whether messages of a notification arrive. */
export function Health({ notification: { is_failing, targets } }: { readonly notification: Notification }) {
  if (is_failing) return <Verdict value={false}>Failing</Verdict>;
  if (targets.some(hasFailed)) {
    return (
      <Badge tone="warn" icon="clock">
        Last message failed
      </Badge>
    );
  }
  return targets.some(({ last_success_at }) => last_success_at != null) ? (
    <Verdict value={true}>Working</Verdict>
  ) : (
    <Badge tone="none">Nothing sent yet</Badge>
  );
}
