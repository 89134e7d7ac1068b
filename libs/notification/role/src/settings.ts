import { type AddressRule, addressRule, openMailer, Sender, type Tools } from '@assurance/notification-channels';
import type { Settings } from '@assurance/http';

/** The configured tools of channels. */
export function toolsOf(
  { notifying, proxies }: Settings,
  allowed: AddressRule = addressRule(notifying.targetNetworks),
): Tools {
  return {
    sender: new Sender(allowed, undefined, undefined, proxies),
    mailer: notifying.smtp === null ? null : openMailer(notifying.smtp),
    slack: notifying.slack,
  };
}
