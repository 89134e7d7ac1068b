import { errorBody } from './answers/common';
import { bodyLimit, bodyRemedy, DEFAULT_BODY_LIMITS } from './body-limits';
import type { HeaderName } from './headers';
import { INVALID, type Route, takesAttachments, takesContent } from './route';
import { inside } from './shape';

const RATES: readonly HeaderName[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

/** The answers of a route by status, including errors. */
export function responses(route: Route): Record<string, object> {
  const rates = route.permission === 'public' ? [] : RATES;
  const answers = Object.entries(route.answers).map(([status, { description, shape, example, headers: own = [] }]) => {
    const types = route.media ?? [route.plain === true ? 'text/plain' : 'application/json'];
    const content = Object.fromEntries(types.map((type) => [type, { schema: inside(shape), example }]));
    const lag: readonly HeaderName[] = route.owner === 'projection' ? ['X-Assurance-Behind'] : [];
    return [status, { description, headers: references(...lag, ...rates, ...own), content }] as const;
  });
  return Object.fromEntries([
    ...[...errorsOf(route)].map(([status, texts]) => {
      const own = route.errorHeaders?.[Number(status)] ?? [];
      return [status, problem(status, texts, [...rates, ...own])] as const;
    }),
    ...answers,
  ]);
}

/** References to headers. Every answer has the id of its request. */
function references(...names: readonly HeaderName[]): object {
  const all: readonly HeaderName[] = ['X-Request-Id', ...names];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const OF_ERRORS: Readonly<Record<string, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  409: ['Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

function problem(status: string, texts: readonly string[], rates: readonly HeaderName[]): object {
  return {
    description: texts.join(' · '),
    headers: references(...(status === '401' ? [] : rates), ...(OF_ERRORS[status] ?? [])),
    content: { 'application/json': { schema: inside(errorBody), example: { message: texts[0] } } },
  };
}

/** The answer to a request with a session that another site's page may have sent. */
export const NOT_FROM_PAGE =
  'A request that changes something and comes with a session needs the header X-Assurance-Page: 1, from a page of this service';

const FLOODED =
  "More of the organization's schemas, rules, YAML files and policies waits to be worked on than is taken. Try again in 5 s";
/** Routes that run user code (decision 53), in addition to routes for reports and attestations. */
const EVALUATED: ReadonlySet<string> = new Set([
  'putPolicy',
  'judgePolicyDraft',
  'attachPolicies',
  'putFlowTemplateFile',
  'putTrail',
  'postAttestationType',
  'assertArtifact',
]);

function isEvaluated({ id, path }: Route): boolean {
  return EVALUATED.has(id) || path.includes('/report/') || path.endsWith('/custom');
}

/** The refusals of this route, including the refusals of every route. */
function errorsOf(route: Route): Map<string, readonly string[]> {
  const errors = new Map<string, readonly string[]>();
  const add = (status: number, text: string) =>
    errors.set(String(status), [...(errors.get(String(status)) ?? []), text]);
  for (const [status, texts] of Object.entries(route.errors ?? {})) for (const text of texts) add(Number(status), text);
  if (!errors.has('400')) add(400, INVALID);
  if (route.permission !== 'public') {
    add(401, 'Missing or invalid API key');
    add(
      429,
      'The bodies of the holder of this organization that are under way have more than the 67108864 bytes that it may have at once. Try again in a moment',
    );
    add(429, 'More than 600000 requests came in this minute. Try again in 30 s');
    add(429, 'Too many wrong API keys came from this address. Try again in 30 s');
    if (isEvaluated(route)) add(429, FLOODED);
  }
  if (!['public', 'self', 'invitation'].includes(route.permission)) {
    add(403, "You don't have permission to access this resource");
  }
  if (route.method !== 'GET') {
    if (route.permission !== 'public') add(403, NOT_FROM_PAGE);
    add(409, 'Somebody else changed this at the same moment. Try again');
    // Routes without a body still read one, because clients send `null`.
    add(
      413,
      `The body is larger than the limit of ${bodyLimit(route, DEFAULT_BODY_LIMITS)} bytes. ${bodyRemedy(route)}`,
    );
    add(408, 'The body did not arrive in time');
    add(415, "A body that is encoded as 'gzip' is not supported: send it as it is");
  }
  // A client that does not escape parts of a path may reach another path.
  add(405, 'PATCH is no method of this path. It takes GET, HEAD');
  add(400, 'What was sent is not a valid HTTP request');
  add(417, "The header 'Expect' may say '100-continue' and nothing else");
  add(414, 'The address has 9000 bytes, more than the limit of 8192 bytes. Send shorter values in its query, or fewer');
  add(431, "The header 'cookie' has 17000 bytes, more than the limit of 16384 bytes. Send a shorter one");
  add(431, 'The headers have 33000 bytes, more than the limit of 32768 bytes. Send fewer or shorter headers');
  add(408, 'The request did not arrive in time');
  if (route.body !== undefined) add(415, "A body of type 'text/plain' is not supported on this route");
  if (takesAttachments(route)) {
    add(
      413,
      'The attachments are larger than the limit of 268435456 bytes. Compress them, or divide them between attestations',
    );
    add(
      413,
      'The organization has stored the 214748364800 bytes of attachments that it may store. The operator can raise the limit (ASSURANCE_MAX_ATTACHMENT_BYTES_PER_ORGANIZATION)',
    );
  }
  if (takesContent(route))
    add(
      413,
      'The organization has stored the 53687091200 bytes of events that it may store. The operator can raise the limit (ASSURANCE_MAX_EVENT_BYTES_PER_ORGANIZATION)',
    );
  if (route.body?.kind === 'json' && route.body.counted !== undefined) {
    add(
      413,
      'The report has 20001 artifacts, more than the limit of 20000. Divide what runs between environments, and join these in a logical one',
    );
  }
  add(500, 'Something went wrong on our side (request 018bcfe5-6800-7000-8000-000000000004)');
  // Public routes read no storage and always accept requests.
  if (route.permission === 'public') return errors;
  add(503, 'The service cannot reach its storage. Try again (request 018bcfe5-6800-7000-8000-000000000004)');
  add(503, 'The service has more to do than it takes at once. Try again in a moment');
  if (route.owner !== 'gateway') {
    add(503, 'The part of the service that answers this cannot be reached. Nothing was done. Try again in a moment');
    add(503, 'The part of the service that answers this gave no answer. It may have been done. Try again in a moment');
  }
  if (route.method !== 'GET') {
    add(503, 'The service has no room to store this. Try again later (request 018bcfe5-6800-7000-8000-000000000004)');
  }
  return errors;
}
