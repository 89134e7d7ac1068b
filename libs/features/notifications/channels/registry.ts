import type { Channel } from './channel';
import { email } from './email/email';
import { slack } from './slack/slack';
import { teams } from './teams/teams';
import { webhook } from './webhook/webhook';

/** Every channel, by its kind. */
export const channels: Readonly<Record<Channel['kind'], Channel>> = {
  SLACK: slack,
  WEBHOOK: webhook,
  EMAIL: email,
  TEAMS: teams,
};
