import { readFileSync } from 'node:fs';
import { sendRequest, type HttpAnswer, messageOf, type Network, retryAfterMs } from './http';
import type { Outcome } from './outbox';
import type { Kind, Report } from './report';

/** An environment in the service. */
export interface Target {
  /** Base URL of the service. */
  readonly url: string;
  readonly organization: string;
  readonly environment: string;
  readonly kind: Kind;
  /** If the service has no environment with this name, it is created with this description; null: never. */
  readonly create: { readonly description: string } | null;
  readonly key: () => string;
  readonly network: Network;
}

/** Reads the key from a file or a variable. The file is read each time, because secrets are replaced. */
export function keyFrom(file: string | null, variable: string, env: Readonly<Record<string, string | undefined>>) {
  return (): string => {
    const key = (file === null ? env[variable] : readFileSync(file, 'utf8'))?.trim() ?? '';
    if (key === '') throw new Error(`There is no API key: set ${variable}, or \`apiKeyFile\` to a file that has it.`);
    return key;
  };
}

export function serviceUrl({ url }: Pick<Target, 'url'>, path: string): URL {
  return new URL(`api/v2/${path}`, url.endsWith('/') ? url : `${url}/`);
}

export interface SendResult {
  readonly outcome: Outcome;
  /** The message of the service or of the connection. */
  readonly text: string;
}

/** Sends a report once. If configured, it first creates the environment. Without a key it sends nothing, because a retry would not help. */
export async function sendReport(target: Target, report: Report): Promise<SendResult> {
  try {
    target.key();
  } catch (fault) {
    return { outcome: { kind: 'refused' }, text: sentenceOf(fault) };
  }
  try {
    const refusal = target.create === null ? null : await ensureEnvironment(target, target.create.description);
    return sendResultOf(
      refusal ?? (await call(target, 'PUT', `${environmentPath(target)}/report/${target.kind}`, report)),
    );
  } catch (fault) {
    return { outcome: { kind: 'again', afterMs: null }, text: sentenceOf(fault) };
  }
}

export const sentenceOf = (fault: unknown) => (fault instanceof Error ? fault.message : String(fault));

const environmentPath = ({ organization, environment }: Target) =>
  `environments/${encodeURIComponent(organization)}/${encodeURIComponent(environment)}`;

/** Null if the environment exists; otherwise the answer that prevented its creation. */
async function ensureEnvironment(target: Target, description: string): Promise<HttpAnswer | null> {
  const httpAnswer = await call(target, 'GET', environmentPath(target));
  if (httpAnswer.status === 200) return null;
  if (httpAnswer.status !== 404) return httpAnswer;
  const { organization, environment: name, kind: type } = target;
  const creation = await call(target, 'PUT', `environments/${encodeURIComponent(organization)}`, {
    name,
    type,
    description,
  });
  return creation.status === 200 || creation.status === 201 ? null : creation;
}

async function call(target: Target, method: 'GET' | 'PUT', path: string, body?: object): Promise<HttpAnswer> {
  const headers = { authorization: `Bearer ${target.key()}`, ...(body && { 'content-type': 'application/json' }) };
  return sendRequest({
    method,
    url: serviceUrl(target, path),
    headers,
    network: target.network,
    body: body && JSON.stringify(body),
  });
}

/** A conflict, a limit or a fault of the service is temporary. Other refusals last until their cause is changed. */
function sendResultOf({ status, text, headers }: HttpAnswer): SendResult {
  if (status === 200 || status === 201) return { outcome: { kind: 'sent' }, text: textOf(text) };
  const answer = `The service answers ${status}: ${messageOf(text)}`;
  const passes = status === 408 || status === 409 || status === 429 || status >= 500;
  const outcome: Outcome = passes ? { kind: 'again', afterMs: retryAfterMs(headers) } : { kind: 'refused' };
  return { outcome, text: answer };
}

function textOf(body: string): string {
  try {
    return String(JSON.parse(body));
  } catch {
    return body.slice(0, 200);
  }
}
