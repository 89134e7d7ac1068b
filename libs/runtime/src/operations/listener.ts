import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Health, Logger } from '@assurance/event-sourcing/tokens';
import { boundRequests, PARSER_BYTES, type ServerTls } from '@assurance/http';
import { err, ok, type Result } from '@assurance/kernel';
import type { Address } from '../config';
import { Connections } from '../connections';
import type { Listener } from '../drain';
import type { Metrics } from '../metrics/metrics';
import type { AdminCommands } from './admin-commands';
import { streamRun } from './stream-run';
import { carriesToken } from './token';

/** The largest body of a request that runs an operation. */
const BYTES_MAX = 64 * 1024;
/** How many connections of probes, metrics readers and operators are open at most. */
const CONNECTIONS_MAX = 128;
const OPERATIONS_PATH = /^\/operations(?:\/([^/]*))?$/;

export interface ListenerDependencies {
  readonly health: Health;
  readonly metrics: Pick<Metrics, 'text'>;
  readonly commands: AdminCommands;
  readonly token: string;
  readonly logger: Logger;
  /** Null: plain HTTP. */
  readonly tls: ServerTls | null;
}

/**
 * The admin API for operators and their tools, on its own address. `GET /live`, `/ready` and `/metrics` need no key. `GET /operations` lists
 * the operations and `POST /operations/<name>` runs one; both need the operations token (`docs/reference/operations.md`).
 */
export function operationsListener(dependencies: ListenerDependencies): Listener {
  const handleRequest = (request: IncomingMessage, response: ServerResponse) => {
    answer(dependencies, request, response).catch((err: unknown) => {
      dependencies.logger.error({ err, method: request.method }, 'an operations request failed');
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'Something went wrong on our side: the log says what');
    });
  };
  const server =
    dependencies.tls === null
      ? createServer({ maxHeaderSize: PARSER_BYTES }, handleRequest)
      : createSecureServer({ ...dependencies.tls, maxHeaderSize: PARSER_BYTES }, handleRequest);
  boundRequests(server);
  return {
    server,
    connections: new Connections(server, CONNECTIONS_MAX),
    listen: (address: Address) => once(server.listen(address), 'listening'),
    close: () => new Promise((closed) => server.close(closed)),
  };
}

async function answer(
  dependencies: ListenerDependencies,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? '').split('?')[0] ?? '';
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  switch (`${method} ${path}`) {
    case 'GET /live':
      return sendText(response, 200, 'OK');
    case 'GET /ready': {
      const problems = dependencies.health.problems();
      return problems.length === 0 ? sendText(response, 200, 'OK') : sendText(response, 503, problems.join('; '));
    }
    case 'GET /metrics': {
      const { type, text } = await dependencies.metrics.text();
      return sendText(response, 200, text, type);
    }
  }
  const [matchedPath, name] = OPERATIONS_PATH.exec(path) ?? [];
  if (matchedPath === undefined) {
    return refuse(
      response,
      404,
      'There is only GET /live, /ready, /metrics and /operations, and POST /operations/<name>',
    );
  }
  if (!carriesToken(request.headers.authorization, dependencies.token)) {
    response.setHeader('www-authenticate', 'Bearer');
    return refuse(response, 401, 'Missing or invalid operations token');
  }
  if (name === undefined && method === 'GET') return json(response, 200, { operations: dependencies.commands.list() });
  if (name === undefined || method !== 'POST') {
    return refuse(response, 405, 'Operations are listed with GET /operations and run with POST /operations/<name>');
  }
  await operate(dependencies, name, request, response);
}

async function operate(
  { commands }: ListenerDependencies,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const words = await readWords(request);
  if (!words.ok) return refuse(response, 400, words.refusal);
  switch (commands.problemOf(name)) {
    case 'unknown': {
      const operations = commands.list();
      const names = operations.map((operation) => operation.name).join(', ');
      return json(response, 404, { message: `There is no such operation. The operations are: ${names}`, operations });
    }
    case 'busy':
      return refuse(response, 409, `${name} is already running`);
    case null:
      return streamRun(commands, name, words.value, response);
  }
}

function sendText(response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  response
    .writeHead(status, { 'content-type': type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    .end(text);
}

function refuse(response: ServerResponse, status: number, message: string): void {
  json(response, status, { message });
}

function json(response: ServerResponse, status: number, body: object): void {
  sendText(response, status, JSON.stringify(body), 'application/json; charset=utf-8');
}

/** Reads the arguments of an operation from a body such as `{"args": ["…"]}`. An empty body has none. */
async function readWords(request: IncomingMessage): Promise<Result<readonly string[], string>> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > BYTES_MAX) return err(`The body is larger than ${BYTES_MAX} bytes`);
    pieces.push(piece);
  }
  const text = Buffer.concat(pieces).toString();
  const args = text === '' ? [] : argsIn(text);
  const right = Array.isArray(args) && args.every((arg) => typeof arg === 'string');
  return right ? ok(args) : err('The body must be {"args": [words]}, with each word a string');
}

function argsIn(text: string): unknown {
  try {
    const body = JSON.parse(text) as { args?: unknown } | null;
    return body?.args;
  } catch {
    return null;
  }
}
