import type { ChangeInfo } from '@assurance/contracts/events/life';
import type { NotificationSettings, NotificationType } from '@assurance/contracts/notifications/events';
import type { Signings } from './signing';

export interface Notification extends NotificationSettings, ChangeInfo {
  readonly org: string;
  readonly number: number;
  readonly type: NotificationType;
  readonly signings: Signings;
  /** The number of a deleted notification stays taken, and its name becomes free. */
  readonly deleted: boolean;
}
