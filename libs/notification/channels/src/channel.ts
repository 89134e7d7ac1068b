import type { Channel as ChannelData } from '@assurance/contracts-events';
import type { Site } from '@assurance/contracts-http';
import type { Message } from '@assurance/model';
import type { Mailer } from './email/mailer';
import type { Sender } from './http/sender';

/** How a try to send ended. What it says holds no secret. */
export type Sent =
  | { readonly delivered: true; readonly detail: string }
  | {
      readonly delivered: false;
      readonly detail: string;
      /** Trying again cannot help. */
      readonly final?: true;
      /** The target's `Retry-After`, as it came. */
      readonly retryAfter?: string;
    };

/** One message on its way to one target. */
export interface Job {
  /** Tells this message from all others, however often it is sent. */
  readonly id: string;
  readonly message: Message;
  readonly site: Site;
  /** What the target's fields hold, secrets opened. */
  readonly fields: Readonly<Record<string, string>>;
  /** Secrets by which it is signed, the present one first; none for targets that are not signed for. */
  readonly signing: readonly string[];
  /** Integer milliseconds. */
  readonly now: number;
}

/** What channels send with. */
export interface Tools {
  readonly sender: Sender;
  /** Null where no SMTP server is configured. */
  readonly mailer: Mailer | null;
  readonly slack: {
    readonly apiUrl: string;
    /** Of the installed app; null without one. */ readonly token: string | null;
  };
}

/** A way to reach people or programs: what it needs, and how it sends. A new one is a folder, and a line in the registry. */
export interface Channel {
  readonly kind: ChannelData['type'];
  /** What a target of this kind has, and what of it is kept sealed. */
  readonly fields: Readonly<Record<string, { readonly secret: boolean }>>;
  /** One message an event, or one for all that a snapshot brought. */
  readonly each: 'event' | 'snapshot';
  send(job: Job, tools: Tools): Promise<Sent>;
}
