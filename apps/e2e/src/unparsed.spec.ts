import { once } from 'node:events';
import { connect } from 'node:net';
import type { Answer } from './support/contract';
import { onEveryDeployment } from './support/world';

/** Sends bytes as they are, and reads the answer until the service ends the connection. */
async function sent(url: string, bytes: string): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const pieces: Buffer[] = [];
  socket.on('data', (piece: Buffer) => pieces.push(piece));
  socket.write(bytes);
  await once(socket, 'close');
  const [head = '', rest = ''] = Buffer.concat(pieces).toString().split('\r\n\r\n');
  // A body without a length comes in one piece with its size before it.
  const text = rest.slice(rest.indexOf('{'), rest.lastIndexOf('}') + 1);
  const nameField = (name: string): [string, string] => [
    name,
    new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? 'none',
  ];
  const headers = new Headers(['content-type', 'x-content-type-options', 'cache-control'].map(nameField));
  return { status: Number(head.split(' ')[1]), headers, text, body: JSON.parse(text) };
}

const HOST = 'Host: localhost\r\n';
const LARGE = `X-Large: ${'a'.repeat(60_000)}\r\n`;
const PATH = '/api/v2/environments/acme';
/** A small report does not pass Fastify. */
const REPORT = `${PATH}/prod/report/docker`;
const JSON_BODY = 'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';

onEveryDeployment((world) => {
  it.each([
    ['headers that are too large', `GET ${PATH} HTTP/1.1\r\n${HOST}${LARGE}\r\n`, 431, /headers 32768 bytes/],
    [
      'an address that is too large',
      `GET ${PATH}?name=${'a'.repeat(60_000)} HTTP/1.1\r\n${HOST}\r\n`,
      431,
      /have 8192/,
    ],
    ['what is no HTTP', `GET ${PATH} \0 HTTP/1.1\r\n\r\n`, 400, /not a valid HTTP request/],
    [
      'two lengths of a body',
      `PUT ${PATH} HTTP/1.1\r\n${HOST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      /not a valid HTTP request/,
    ],
    ['two Hosts', `GET ${PATH} HTTP/1.1\r\n${HOST}${HOST}\r\n`, 400, /'Host' was sent 2 times/],
    ['two Hosts of a report', `PUT ${REPORT} HTTP/1.1\r\n${HOST}${HOST}${JSON_BODY}`, 400, /'Host' was sent 2 times/],
    ['no Host', `GET ${PATH} HTTP/1.1\r\n\r\n`, 400, /'Host' is missing/],
    ['HTTP/0.9', `GET ${PATH}\r\n\r\n`, 400, /^HTTP\/0.9 is not supported/],
    ['HTTP/0.9 by name', `GET ${PATH} HTTP/0.9\r\n${HOST}\r\n`, 400, /^HTTP\/0.9 is not supported/],
    [
      'a body in another coding',
      `PUT ${REPORT} HTTP/1.1\r\n${HOST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
      400,
      /'Transfer-Encoding' may say 'chunked'/,
    ],
    ['codings with chunks', `GET ${PATH} HTTP/1.1\r\n${HOST}TE: chunked\r\n\r\n`, 400, /'TE' may list/],
    [
      'two Hosts of a body that waits',
      `PUT ${PATH} HTTP/1.1\r\n${HOST}${HOST}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n`,
      400,
      /'Host' was sent 2 times/,
    ],
    ['an expectation', `PUT ${PATH} HTTP/1.1\r\n${HOST}Expect: more\r\nContent-Length: 2\r\n\r\n{}`, 417, /'Expect'/],
  ])('answers %s in the body of errors', async (_, bytes, status, message) => {
    const answer = await sent(world().url, bytes);
    expect([answer.status, answer.body]).toEqual([status, { message: expect.stringMatching(message) }]);
    const keptHeaders = ['x-content-type-options', 'cache-control'].map((name) => answer.headers.get(name));
    expect(keptHeaders).toEqual(['nosniff', 'no-store']);
    const method = bytes.slice(0, bytes.indexOf(' '));
    world().contract.check(method, PATH, answer);
  });
});
