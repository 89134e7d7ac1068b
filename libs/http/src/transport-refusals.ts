import type { ErrorBody } from '@assurance/contracts/http/answers/common';
import { NOT_FROM_PAGE } from '@assurance/contracts/http/responses';
import { echo } from '@assurance/kernel';
import type { LimitScope } from './shares';

/** A limit on concurrent requests or bytes that a caller has reached. */
export interface ReachedLimit {
  readonly whose: LimitScope;
  readonly of: 'requests' | 'bytes';
  readonly limit: number;
}

/** A refusal as the caller gets it. */
export interface RefusalAnswer {
  readonly status: number;
  readonly body: ErrorBody;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Refusals of the transport: of requests that no feature has seen, and of services that cannot answer now. */
export const TRANSPORT_REFUSALS = {
  /** The text is fixed; `hint` says what is wrong with the form of the header, if anything is. */
  unauthenticated: ({ hint }: { hint: string | null }) => ({
    status: 401,
    body: { message: 'Missing or invalid API key', ...(hint === null ? {} : { errors: { authorization: hint } }) },
    headers: { 'www-authenticate': 'Bearer realm="assurance", Basic realm="assurance", charset="UTF-8"' },
  }),
  /** A request with a session would change something, but does not prove that a page of the service sent it. */
  'not-from-page': () => answer(403, NOT_FROM_PAGE),
  'route-unknown': () => answer(404, 'There is no such route'),
  'method-unknown': ({ method, allowed }: { method: string; allowed: readonly string[] }) =>
    answer(405, `${echo(method)} is no method of this path. It takes ${allowed.join(', ')}`, {
      allow: allowed.join(', '),
    }),
  'media-type': ({ type }: { type: string }) =>
    answer(415, `A body of type '${echo(type)}' is not supported on this route`),
  /** A body that is compressed or otherwise encoded. */
  'body-encoded': ({ encoding }: { encoding: string }) =>
    closingAnswer(415, `A body that is encoded as '${echo(encoding)}' is not supported: send it as it is`),
  'body-too-slow': () => closingAnswer(408, 'The body did not arrive in time'),
  /** `bytes` is the length that the request stated, if it stated one. */
  'body-too-large': ({ limit, bytes, remedy }: { limit: number; bytes?: number; remedy?: string }) => {
    const body = bytes === undefined || !(bytes > limit) ? 'The body' : `The body of ${bytes} bytes`;
    return closingAnswer(
      413,
      `${body} is larger than the limit of ${limit} bytes${remedy === undefined ? '' : `. ${remedy}`}`,
    );
  },
  'attachments-too-large': ({ limit }: { limit: number }) =>
    closingAnswer(
      413,
      `The attachments are larger than the limit of ${limit} bytes. Compress them, or divide them between attestations`,
    ),
  'too-many-parts': ({ parts, limit }: { parts: 'fields' | 'files' | 'parts'; limit: number }) =>
    closingAnswer(413, `The form has more ${parts} than the limit of ${limit}. ${partsRemedy(parts, limit)}`),
  /** The organization has stored as many bytes as it may. */
  'storage-full': ({ of, limit }: { of: 'events' | 'attachments'; limit: number }) =>
    closingAnswer(
      413,
      `The organization has stored the ${limit} bytes of ${of} that it may store. ${raiseHint(STORED[of])}`,
    ),
  'share-taken': (share: ReachedLimit) => tooManyRequests(1, messageOfShare(share)),
  /** A key or an organization has sent as many requests in this minute as it may. */
  'too-many-requests': ({ limit, seconds }: { limit: number; seconds: number }) =>
    tooManyRequests(seconds, `More than ${limit} requests came in this minute. Try again in ${seconds} s`),
  'too-many-wrong-keys': ({ seconds }: { seconds: number }) =>
    tooManyRequests(seconds, `Too many wrong API keys came from this address. Try again in ${seconds} s`),
  'too-many-followers': ({ whose, limit }: { whose: LimitScope | 'holder' | 'gateway'; limit: number }) =>
    tooManyRequests(
      30,
      `The ${whose === 'holder' ? 'holder of this organization' : whose} has as many as ${limit} open connections for changes`,
    ),
  'too-much-to-evaluate': ({ seconds }: { seconds: number }) =>
    tooManyRequests(
      seconds,
      `More of the organization's schemas, rules, YAML files and policies waits to be worked on than is taken. Try again in ${seconds} s`,
    ),
  /** Large reports of one organization are processed one after the other. */
  'too-many-large-reports': ({ seconds }: { seconds: number }) =>
    tooManyRequests(seconds, `Other large bodies of the organization are being processed. Try again in ${seconds} s`),
  /** Only a few large answers of one holder are made or read at the same time. */
  'too-many-large-answers': ({ seconds }: { seconds: number }) =>
    tooManyRequests(
      seconds,
      `Other large answers of this organization are being made or read. Try again in ${seconds} s, or ask for a page`,
    ),
  'view-building': () => tryLater(5, 'What this list reads is being built anew after an update.'),
  /** Nothing was done. */
  'service-away': () => tryLater(1, 'The part of the service that answers this cannot be reached. Nothing was done.'),
  'service-silent': () =>
    tryLater(1, 'The part of the service that answers this gave no answer. It may have been done.'),
};

/** The settings that limit what an organization stores. */
const STORED = {
  events: 'ASSURANCE_MAX_EVENT_BYTES_PER_ORGANIZATION',
  attachments: 'ASSURANCE_MAX_ATTACHMENT_BYTES_PER_ORGANIZATION',
};

function raiseHint(setting: string): string {
  return `The operator can raise the limit (${setting})`;
}

function partsRemedy(parts: 'fields' | 'files' | 'parts', limit: number): string {
  if (parts !== 'files') return 'Send no others than the documented ones';
  return limit === 1 ? 'Send one' : 'Pack them into one archive, or divide them between attestations';
}

/** 503, which clients try again. */
function tryLater(seconds: number, why: string): RefusalAnswer {
  return answer(503, `${why} Try again in a moment`, { 'retry-after': String(seconds) });
}

function answer(status: number, message: string, headers?: Readonly<Record<string, string>>): RefusalAnswer {
  return { status, body: { message }, ...(headers && { headers }) };
}

function tooManyRequests(seconds: number, message: string): RefusalAnswer {
  return answer(429, message, { 'retry-after': String(seconds) });
}

/** The rest of the body is not read, so the connection cannot carry another request. */
function closingAnswer(status: number, message: string): RefusalAnswer {
  return answer(status, message, { connection: 'close' });
}

function messageOfShare({ whose, of, limit }: ReachedLimit): string {
  const what = of === 'requests' ? 'Requests' : 'The bodies';
  const most = of === 'requests' ? `are more than the ${limit} that` : `have more than the ${limit} bytes that`;
  const who = whose === 'caller' ? 'this caller' : 'the holder of this organization';
  return `${what} of ${who} that are under way ${most} it may have at once. Try again in a moment`;
}
