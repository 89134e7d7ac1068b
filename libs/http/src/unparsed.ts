import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorBody } from '@assurance/contracts/http/answers/common';
import { refuseEarly } from './refuse-early';
import { REQUEST_BOUNDS } from './request-bounds';

/** Texts for faults of Node's HTTP parser, by its codes. With any other code, the client did not send HTTP. */
const FAULTS: Readonly<Record<string, readonly [status: number, reason: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    `The address may have ${REQUEST_BOUNDS.target} bytes, and at most ${REQUEST_BOUNDS.fields} headers ${REQUEST_BOUNDS.headers} bytes in all: send less`,
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request did not arrive in time'],
};
const NOT_HTTP = [400, 'Bad Request', 'What was sent is not a valid HTTP request'] as const;

/**
 * Answers input that Node's parser refuses before there is a request. The answer has the usual error body (specification
 * 2.10), but no request id. The connection ends, because it is unknown where a next request would begin.
 */
export function answerUnparsed(fault: NodeJS.ErrnoException, socket: Socket): void {
  if (socket.destroyed) return;
  if (fault.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, reason, message] = FAULTS[fault.code ?? ''] ?? NOT_HTTP;
  const body = JSON.stringify({ message } satisfies ErrorBody);
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Answers a request that expects something else than `100-continue`: Node's own 417 has no body. */
export function answerExpectations(server: Server): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    refuseEarly(response, 417, "The header 'Expect' may say '100-continue' and nothing else");
  });
}
