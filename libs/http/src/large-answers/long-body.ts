import { Readable } from 'node:stream';

/** Bodies of more bytes are handed on piece by piece, as fast as the client reads. */
const WHOLE_BYTES = 1024 * 1024;

/** The JSON of an answer in pieces. Several answers may have the same body; each reads its pieces at its own speed, and none copies them. */
export class LongBody {
  /** Bytes. */
  readonly length: number;

  constructor(private readonly pieces: readonly Buffer[]) {
    this.length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  }

  /** As an answer sends it. */
  content(): Buffer | Readable {
    return this.length <= WHOLE_BYTES ? Buffer.concat(this.pieces) : Readable.from(this.each());
  }

  /** It holds the body while it is read. */
  private *each(): Generator<Buffer> {
    for (const piece of this.pieces) yield piece;
  }
}
