import { Readable } from 'node:stream';

/** Larger bodies (bytes) are sent piece by piece, as fast as the client reads. */
const WHOLE_BYTES = 1024 * 1024;
/**
 * How many pieces are written in one turn of the event loop. A connection accepts megabytes at once, and hundreds of
 * clients may read together.
 */
const PIECES_A_ROUND = 4;

/** The JSON of an answer in pieces. Several answers may have the same body; each reads its pieces at its own speed, and none copies them. */
export class LongBody {
  /** Bytes. */
  readonly length: number;

  constructor(private readonly pieces: readonly Buffer[]) {
    this.length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  }

  /** The content as an answer sends it. */
  content(): Buffer | Readable {
    if (this.length <= WHOLE_BYTES) return Buffer.concat(this.pieces);
    return Readable.from(this.each(), { objectMode: false, highWaterMark: 1 });
  }

  /** The generator keeps this body in memory while it is read. */
  private async *each(): AsyncGenerator<Buffer> {
    for (const piece of this.pieces) {
      await waitToSend();
      yield piece;
    }
  }
}

const waiters: (() => void)[] = [];

/** Waits until a piece of a long answer may be sent, behind the waiting pieces of all other answers. */
export function waitToSend(): Promise<void> {
  return new Promise((go) => {
    if (waiters.push(go) === 1) setImmediate(resume);
  });
}

function resume(): void {
  for (const go of waiters.splice(0, PIECES_A_ROUND)) go();
  if (waiters.length > 0) setImmediate(resume);
}
