import { echo } from '@assurance/kernel';
import type { Param } from '../http/params';
import { text } from '../http/shape';

/** The position of a reader of an organization's events. */
export interface FeedCursor {
  /** How many commits come before the cursor. */
  readonly position: number;
  /** How many events of the commit at the position were read. */
  readonly offset: number;
  /** Digest of the order before the cursor: 16 hexadecimal digits. It changes if the order is made again. */
  readonly digest: string;
}

/** The text of a cursor in answers. */
export function cursorText({ position, offset, digest }: FeedCursor): string {
  return `${position}.${offset}.${digest}`;
}

/** Reads a cursor from an answer; an empty text is the beginning. */
export const feedCursor = (description: string): Param<FeedCursor> => ({
  schema: text(description).schema,
  read(text) {
    if (text === '') return { value: undefined };
    const [, position, offset, digest] = /^([0-9]{1,15})\.([0-9]{1,9})\.([0-9a-f]{16})$/.exec(text) ?? [];
    if (position === undefined || offset === undefined || digest === undefined) {
      return { problem: `Input should be a cursor from an answer of this route (input: '${echo(text)}')` };
    }
    return { value: { position: Number(position), offset: Number(offset), digest } };
  },
});
