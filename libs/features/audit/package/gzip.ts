import { pipeline, Readable, Transform } from 'node:stream';
import { createGzip } from 'node:zlib';

/** The default compression level of `gzip`. */
const LEVEL = 6;
const PIECE_BYTES = 64 * 1024;
/** The position of the system in the header, and the value for an unknown system (RFC 1952, 2.3). It is the same on every system. */
const SYSTEM = { at: 9, unknown: 255 };

/** Compresses bytes with gzip, without time and system in the header. A fault ends the result with an error. */
export function compressWithGzip(bytes: AsyncIterable<Uint8Array>): Readable {
  let bytesPassed = 0;
  const header = new Transform({
    transform(piece: Buffer, _encoding, done) {
      const at = SYSTEM.at - bytesPassed;
      if (at >= 0 && at < piece.length) piece[at] = SYSTEM.unknown;
      bytesPassed += piece.length;
      done(null, piece);
    },
  });
  const source = Readable.from(bytes, { objectMode: false, highWaterMark: PIECE_BYTES });
  // The last stream of the pipeline reports the errors of all its streams.
  pipeline(source, createGzip({ level: LEVEL, chunkSize: PIECE_BYTES }), header, () => undefined);
  return header;
}
