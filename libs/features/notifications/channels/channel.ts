import type { Site } from '@assurance/contracts/http/links';
import type { Channel as ChannelData } from '@assurance/contracts/notifications/events';
import type { Delivery } from '../domain/delivery';
import type { Message } from '../domain/message';
import type { Mailer } from './email/mailer';
import type { Sender } from './http/sender';

type SettledRecipients = NonNullable<Delivery['settled']>;

/** The result of an attempt to send. Its text contains no secret. */
export type SendResult =
  | { readonly delivered: true; readonly detail: string; readonly settled?: SettledRecipients }
  | {
      readonly delivered: false;
      readonly detail: string;
      /** Trying again cannot help. */
      readonly final?: true;
      /** After this number of tries it is given up; absent: after that of all messages. */
      readonly triesMax?: number;
      /** The target is there: its other messages need not wait. */
      readonly reachable?: true;
      readonly settled?: SettledRecipients;
      /** The `Retry-After` header of the target, not parsed. */
      readonly retryAfter?: string;
    };

/** One message on its way to one target. */
export interface Job {
  /** Identifies the message. All attempts to send it have the same id. */
  readonly id: string;
  readonly message: Message;
  readonly site: Site;
  /** The fields of the target, with decrypted secrets. */
  readonly fields: Readonly<Record<string, string>>;
  /** Secrets by which it is signed, the present one first; none for targets that are not signed for. */
  readonly signing: readonly string[];
  /** What earlier tries settled, by recipient. */
  readonly settled?: SettledRecipients;
  /** Integer milliseconds. */
  readonly now: number;
}

/** Tools that channels use to send. */
export interface Tools {
  readonly sender: Sender;
  /** Null where no SMTP server is configured. */
  readonly mailer: Mailer | null;
  readonly slack: {
    readonly apiUrl: string;
    /** Of the installed app; null without one. */ readonly token: string | null;
  };
}

/** A way to reach people or programs: its fields, and how it sends. A new channel is a folder and a line in the registry. */
export interface Channel {
  readonly kind: ChannelData['type'];
  /** The fields of a target of this kind, and which of them are stored encrypted. */
  readonly fields: Readonly<Record<string, { readonly secret: boolean }>>;
  /** One message an event, or one for all that a snapshot brought. */
  readonly each: 'event' | 'snapshot';
  send(job: Job, tools: Tools): Promise<SendResult>;
}
