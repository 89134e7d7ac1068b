import { echo } from '@assurance/kernel';
import { type Param, text } from '../http/params';

/** Where a reader of the events of an organization stands. */
export interface FeedCursor {
  /** How many commits stand before it. */
  readonly position: number;
  /** How many events of the commit at the position were read. */
  readonly offset: number;
  /** Of the order before it: 16 hexadecimal digits. An order that was made again has another. */
  readonly digest: string;
}

/** A cursor as answers have it. */
export function cursorText({ position, offset, digest }: FeedCursor): string {
  return `${position}.${offset}.${digest}`;
}

/** A cursor from an answer; an empty one means the beginning. */
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
