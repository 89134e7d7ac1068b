import type { Delivery } from '../domain/delivery';

export type SettledRecipients = NonNullable<Delivery['settled']>;

/** The result of an attempt to send. Its text contains no secret. */
export type SendResult =
  | { readonly delivered: true; readonly detail: string; readonly settled?: SettledRecipients }
  | {
      readonly delivered: false;
      readonly detail: string;
      /** Another attempt cannot succeed. */
      readonly final?: true;
      /** The message is given up after this number of attempts; absent: after the number for all messages. */
      readonly triesMax?: number;
      /** The target can be reached, so its other messages do not wait. */
      readonly reachable?: true;
      readonly settled?: SettledRecipients;
      /** The `Retry-After` header of the target, not parsed. */
      readonly retryAfter?: string;
    };
