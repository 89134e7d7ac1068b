import { pipeline, Readable, Transform } from 'node:stream';
import { createGzip } from 'node:zlib';

/** As `gzip` has it unless told otherwise. */
const LEVEL = 6;
const PIECE_BYTES = 64 * 1024;
/** Which system made it (RFC 1952, 2.3): unknown, wherever it was made. */
const SYSTEM = { at: 9, unknown: 255 };

/** Compresses bytes with gzip, without time and system in the header. A fault ends the result with an error. */
export function gzipped(bytes: AsyncIterable<Uint8Array>): Readable {
  let passed = 0;
  const header = new Transform({
    transform(piece: Buffer, _encoding, done) {
      const at = SYSTEM.at - passed;
      if (at >= 0 && at < piece.length) piece[at] = SYSTEM.unknown;
      passed += piece.length;
      done(null, piece);
    },
  });
  const source = Readable.from(bytes, { objectMode: false, highWaterMark: PIECE_BYTES });
  // The last stream of the pipeline reports the error of any of them.
  pipeline(source, createGzip({ level: LEVEL, chunkSize: PIECE_BYTES }), header, () => undefined);
  return header;
}
