import { ArchiveFault, LINE_BYTES_MAX } from './format';

const NEWLINE = 0x0a;

/** Splits bytes into lines without their line ends. The last line must have a line end too. */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const piece of bytes) {
    let rest = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      parts.push(rest.subarray(0, end));
      yield parts.length === 1 ? parts[0]! : Buffer.concat(parts);
      [parts, size] = [[], 0];
      rest = rest.subarray(end + 1);
    }
    size += rest.length;
    if (size > LINE_BYTES_MAX) throw new ArchiveFault(`has a line of more than ${LINE_BYTES_MAX} bytes`);
    if (rest.length > 0) parts.push(rest);
  }
  if (size > 0) throw new ArchiveFault('ends in the middle of a line: it was cut off');
}
