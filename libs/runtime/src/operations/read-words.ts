import type { IncomingMessage } from 'node:http';
import { no, ok, type Result } from '@assurance/kernel';

const BYTES_MAX = 64 * 1024;

/** The words after an operation's name: `{"args": ["…"]}`; an empty body has none. */
export async function readWords(request: IncomingMessage): Promise<Result<readonly string[], string>> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > BYTES_MAX) return no(`The body is larger than ${BYTES_MAX} bytes`);
    pieces.push(piece);
  }
  const text = Buffer.concat(pieces).toString();
  const args = text === '' ? [] : argsIn(text);
  const right = Array.isArray(args) && args.every((one) => typeof one === 'string');
  return right ? ok(args) : no('The body must be {"args": [words]}, with each word a string');
}

function argsIn(text: string): unknown {
  try {
    const body = JSON.parse(text) as { args?: unknown } | null;
    return body?.args;
  } catch {
    return null;
  }
}
