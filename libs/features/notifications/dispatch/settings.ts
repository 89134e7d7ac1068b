import type { Settings } from '@assurance/event-sourcing/tokens';
import type { Tools } from '../channels/channel';
import { openMailer } from '../channels/email/mailer';
import { type AddressRule, addressRule } from '@assurance/http/outgoing/addresses';
import { Sender } from '../channels/http/sender';

/** The configured tools of channels. */
export function toolsOf(
  { notifying, proxies }: Settings,
  isAllowed: AddressRule = addressRule(notifying.targetNetworks),
): Tools {
  return {
    sender: new Sender(isAllowed, undefined, undefined, proxies),
    mailer: notifying.smtp === null ? null : openMailer(notifying.smtp),
    slack: notifying.slack,
  };
}
