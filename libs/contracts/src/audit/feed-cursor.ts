import { echo } from '@assurance/kernel';
import { type Param, text } from '../http/params';

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
export function feedCursor(description: string): Param<FeedCursor | null> {
  const { schema, required, repeated, read: readText } = text(description);
  return {
    schema,
    required,
    repeated,
    description,
    read(texts) {
      const read = readText(texts);
      if ('problem' in read) return read;
      if (read.value === undefined) return { value: null };
      const [, position, offset, digest] = /^([0-9]{1,15})\.([0-9]{1,9})\.([0-9a-f]{16})$/.exec(read.value) ?? [];
      if (position === undefined || offset === undefined || digest === undefined) {
        return { problem: `Input should be a cursor from an answer of this route (input: '${echo(read.value)}')` };
      }
      return { value: { position: Number(position), offset: Number(offset), digest } };
    },
  };
}
