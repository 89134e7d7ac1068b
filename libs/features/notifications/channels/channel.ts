import type { Site } from '@assurance/contracts/http/links';
import type { Channel as ChannelData } from '@assurance/contracts/notifications/events';
import type { Message } from '../domain/message';
import type { Mailer } from './email/mailer';
import type { Sender } from './http/sender';
import type { SendResult, SettledRecipients } from './send-result';

/** One message to send to one target. */
export interface Job {
  /** Identifies the message. All attempts to send it have the same id. */
  readonly id: string;
  readonly message: Message;
  readonly site: Site;
  /** The fields of the target, with decrypted secrets. */
  readonly fields: Readonly<Record<string, string>>;
  /** Secrets that sign the message, the present one first; empty if the target's messages are not signed. */
  readonly signing: readonly string[];
  /** The results of earlier attempts, by recipient. */
  readonly settled?: SettledRecipients;
  /** Integer milliseconds. */
  readonly now: number;
}

/** Tools that channels use to send. */
export interface Tools {
  readonly sender: Sender;
  /** Null if no SMTP server is configured. */
  readonly mailer: Mailer | null;
  readonly slack: {
    readonly apiUrl: string;
    /** Token of the installed app; null if there is none. */ readonly token: string | null;
  };
}

/**
 * A way to reach people or programs. A new channel needs a name in `URL_CHANNELS`, a folder and a line in the registry. Pages show its name as words,
 * unless `apps/web/src/parts/channel-label.ts` has a better label.
 */
export interface Channel {
  readonly kind: ChannelData['type'];
  /** The fields of a target of this kind, and which of them are stored encrypted. */
  readonly fields: Readonly<Record<string, { readonly secret: boolean }>>;
  /** One message for each event, or one message for all events of a snapshot. */
  readonly each: 'event' | 'snapshot';
  send(job: Job, tools: Tools): Promise<SendResult>;
}
