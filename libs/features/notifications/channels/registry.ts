import type { Channel } from './channel';
import { email } from './email/email';
import { slack } from './slack/slack';
import { webhook } from './webhook/webhook';

/** Every channel, by its kind. */
export const channels: Readonly<Record<Channel['kind'], Channel>> = { SLACK: slack, WEBHOOK: webhook, EMAIL: email };
