import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { createInterface } from 'node:readline';
import { text as textOf } from 'node:stream/consumers';
import type { Progress } from '@assurance/event-sourcing/operation';
import { codeOf } from '../error-code';
import type { CommandResult, ListedOperation } from './admin-commands';
import type { RunLine } from './stream-run';

/** One sentence that says why a running service refused a request to its operations address. */
export type RefusalAnswer = { readonly error: string };

/** The operations address of a service. */
export interface AdminAddress {
  readonly url: string;
  readonly token: string;
  /** Its certificate as PEM; null: plain HTTP. */
  readonly certificate: string | null;
}

/** The list of operations of a running service; null if no service listens. */
export async function listRunning(address: AdminAddress): Promise<readonly ListedOperation[] | RefusalAnswer | null> {
  const response = await send(address, 'GET', '/operations');
  if (response === null) return null;
  const text = await textOf(response);
  return response.statusCode === 200
    ? (JSON.parse(text) as { operations: ListedOperation[] }).operations
    : refusal(address, response, text);
}

/** Runs an operation of a running service; null if no service listens. */
export async function runOnService(
  address: AdminAddress,
  name: string,
  args: readonly string[],
  report: (progress: Progress) => void,
): Promise<CommandResult | null> {
  const response = await send(address, 'POST', `/operations/${encodeURIComponent(name)}`, JSON.stringify({ args }));
  if (response === null) return null;
  if (response.statusCode !== 200) return refusal(address, response, await textOf(response));
  try {
    for await (const line of createInterface({ input: response })) {
      const news = JSON.parse(line) as RunLine;
      if (!('progress' in news)) return news;
      report(news.progress);
    }
  } catch {
    // The connection broke. The error is returned below.
  }
  return { error: `The service at ${address.url} ended before ${name} did.` };
}

/** Sends a request; null if no service listens. `fetch` would give up if an operation is silent for five minutes. */
async function send(
  { url, token, certificate }: AdminAddress,
  method: string,
  path: string,
  body?: string,
): Promise<IncomingMessage | null> {
  const options = { method, headers: { authorization: `Bearer ${token}` } };
  // The service must show exactly this certificate. Its names and signer are not checked.
  const tlsOptions = {
    ca: certificate ?? undefined,
    allowPartialTrustChain: true,
    checkServerIdentity: () => undefined,
  };
  const call =
    certificate === null ? request(url + path, options) : requestSecurely(url + path, { ...options, ...tlsOptions });
  call.end(body);
  try {
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    return response;
  } catch (fault) {
    if (codeOf(fault) === 'ECONNREFUSED') return null;
    throw fault;
  }
}

function refusal({ url }: AdminAddress, { statusCode }: IncomingMessage, text: string): RefusalAnswer {
  if (statusCode === 401) {
    return { error: `The service at ${url} has another secret: run this command with the settings of that service.` };
  }
  try {
    const { message } = JSON.parse(text) as { message?: string };
    if (message !== undefined) return { error: `${message}.` };
  } catch {
    // The answer is not from a service of this installation.
  }
  return { error: `${url} is not the operations address of a service (it answered ${statusCode}).` };
}
