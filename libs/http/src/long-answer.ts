import { isLarge, isRawNumber, quotedInSlices, Slices } from '@assurance/kernel';
import { LongBody } from './large-answers/long-body';

/** Lists and objects with more members are written in steps. */
const LONG = 16;
/** How many levels deep long lists are searched for. */
const DEPTH = 4;
/** About how much is written before other work may run (characters). */
const PIECE = 32 * 1024;

/**
 * Whether the JSON of a body may be long: it has a long list near its top, or many values in total. Bodies of bytes are
 * sent unchanged.
 */
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
  await writer.write(body, DEPTH + 1);
  writer.flush();
  return new LongBody(pieces);
}

class Writer {
  private text = '';
  private readonly slices = new Slices();

  constructor(private readonly pieces: Buffer[]) {}

  /** Returns a promise only if it does not write the value at once, because lists have thousands of such values. */
  write(value: unknown, depth: number): Promise<void> | undefined {
    const isLong = (depth > 0 && hasLongList(value, depth - 1)) || isLarge(value);
    if (isLong && !isRawNumber(value)) return this.writeLong(value, Math.max(0, depth - 1));
    this.add(JSON.stringify(value) ?? 'null');
    if (this.text.length < PIECE) return undefined;
    this.flush();
    return this.slices.over ? this.slices.next() : undefined;
  }

  private async writeLong(value: unknown, depth: number): Promise<void> {
    if (typeof value === 'string') this.add(await quotedInSlices(value, this.slices));
    else if (Array.isArray(value)) await this.list(value, depth);
    else await this.object(value as Readonly<Record<string, unknown>>, depth);
    if (this.text.length < PIECE) return;
    this.flush();
    if (this.slices.over) await this.slices.next();
  }

  flush(): void {
    if (this.text !== '') this.pieces.push(Buffer.from(this.text));
    this.text = '';
  }

  private async list(items: readonly unknown[], depth: number): Promise<void> {
    this.add('[');
    for (const [i, item] of items.entries()) {
      if (i > 0) this.add(',');
      const writing = this.write(item, depth);
      if (writing !== undefined) await writing;
    }
    this.add(']');
  }

  private async object(members: Readonly<Record<string, unknown>>, depth: number): Promise<void> {
    this.add('{');
    let isFirst = true;
    for (const [key, member] of Object.entries(members)) {
      if (member === undefined) continue;
      this.add(`${isFirst ? '' : ','}${JSON.stringify(key)}:`);
      isFirst = false;
      const writing = this.write(member, depth);
      if (writing !== undefined) await writing;
    }
    this.add('}');
  }

  private add(text: string): void {
    this.text += text;
  }
}
