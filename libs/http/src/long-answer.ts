import { inSlices, isLarge, isRawNumber, quotedSteps, type Steps } from '@assurance/kernel';
import { LongBody } from './large-answers/long-body';

/** Lists and objects with this number of members are written in steps. */
const LONG = 16;
/** How deep lists are looked for. */
const DEPTH = 4;
/** About how much is written before others may get their turn (characters). */
const PIECE = 32 * 1024;

/** Whether the JSON of a body may be long: it has a long list near its top, or much anywhere. Bytes are sent as they are. */
export function mayBeLong(body: unknown): boolean {
  return !ArrayBuffer.isView(body) && (hasLongList(body, DEPTH) || isLarge(body));
}

function hasLongList(body: unknown, depth: number): boolean {
  if (typeof body !== 'object' || body === null) return false;
  const members = Array.isArray(body) ? body : Object.values(body);
  return members.length > LONG || (depth > 0 && members.some((member) => hasLongList(member, depth - 1)));
}

/** `JSON.stringify` in slices. */
export async function longAnswer(body: unknown): Promise<LongBody> {
  const pieces: Buffer[] = [];
  const writer = new Writer(pieces);
  await inSlices(writer.write(body, DEPTH + 1));
  writer.flush();
  return new LongBody(pieces);
}

class Writer {
  private text = '';

  constructor(private readonly pieces: Buffer[]) {}

  *write(value: unknown, depth: number): Steps<void> {
    const isLong = (depth > 0 && hasLongList(value, depth - 1)) || isLarge(value);
    const below = Math.max(0, depth - 1);
    if (!isLong || isRawNumber(value)) this.add(JSON.stringify(value) ?? 'null');
    else if (typeof value === 'string') this.add(yield* quotedSteps(value));
    else if (Array.isArray(value)) yield* this.list(value, below);
    else yield* this.object(value as Readonly<Record<string, unknown>>, below);
    if (this.text.length >= PIECE) {
      this.flush();
      yield;
    }
  }

  flush(): void {
    if (this.text !== '') this.pieces.push(Buffer.from(this.text));
    this.text = '';
  }

  private *list(items: readonly unknown[], depth: number): Steps<void> {
    this.add('[');
    for (const [i, item] of items.entries()) {
      if (i > 0) this.add(',');
      yield* this.write(item, depth);
    }
    this.add(']');
  }

  private *object(members: Readonly<Record<string, unknown>>, depth: number): Steps<void> {
    this.add('{');
    let isFirst = true;
    for (const [key, member] of Object.entries(members)) {
      if (member === undefined) continue;
      this.add(`${isFirst ? '' : ','}${JSON.stringify(key)}:`);
      isFirst = false;
      yield* this.write(member, depth);
    }
    this.add('}');
  }

  private add(text: string): void {
    this.text += text;
  }
}
