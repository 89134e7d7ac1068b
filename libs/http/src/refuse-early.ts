import type { ServerResponse } from 'node:http';
import type { ErrorBody } from '@assurance/contracts/http/answers/common';
import { RAW_JSON_HEADERS } from './json-headers';

/** Refuses a request that the pipeline does not see. The connection ends, because nobody reads the rest of the request. */
export function refuseEarly(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { ...RAW_JSON_HEADERS, connection: 'close' });
  response.end(JSON.stringify({ message } satisfies ErrorBody));
}
