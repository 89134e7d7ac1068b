import type { Target } from '@assurance/contracts/notifications/events';
import { mask } from '@assurance/notifications/domain/secret';

/** A target of messages without its secrets. It shows only the end of a URL, like answers of the API. */
export function shownTarget(target: Target): object {
  switch (target.type) {
    case 'SLACK':
      return {
        type: target.type,
        context: target.context,
        webhook_hint: target.webhook === null ? null : mask(target.webhook),
      };
    case 'WEBHOOK':
      return { type: target.type, webhook_hint: mask(target.webhook), payload_version: target.payloadVersion };
    case 'EMAIL':
      return { type: target.type, emails: target.emails };
    case 'NESTED_CONFIG':
      return { type: target.type, config_id: target.config };
    default:
      return { type: target.type, webhook_hint: mask(target.webhook) };
  }
}
