import type { IncomingMessage } from 'node:http';

/**
 * The bytes of a small body.
 *
 * @throws Error with the code of a broken connection, when the client disconnects before its body is complete
 */
export function readBytes(request: Pick<IncomingMessage, 'on' | 'complete'>): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    const onClose = () => {
      // `close` is emitted for every request. Making an error costs as much as the rest of this function.
      if (!request.complete)
        reject(Object.assign(new Error('the client went'), { code: 'ECONNRESET', statusCode: 400 }));
    };
    request
      .on('data', (piece: Buffer) => pieces.push(piece))
      .on('end', () => resolve(pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces)))
      .on('error', onClose)
      .on('close', onClose);
  });
}
