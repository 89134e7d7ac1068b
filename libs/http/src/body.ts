import type { ValidationResult } from '@assurance/contracts/http/bodies/validate';
import { bodyLimit, bodyRemedy } from '@assurance/contracts/http/body-limits';
import type { FieldErrors } from '@assurance/contracts/http/params';
import { isEvidence, type Route, takesAttachments } from '@assurance/contracts/http/route';
import type { Limits } from '@assurance/event-sourcing/tokens';
import { beginningOf, findDuplicateKey, echo, exactly, scanJson, valuesIn } from '@assurance/kernel';
import type { FastifyRequest } from 'fastify';
import secureJson from 'secure-json-parse';
import type { CallAttachment, CallFile } from './call';
import { checkBody } from './compiled';
import { readForm, type Store } from './form';
import { jsonProblem } from './json-problem';
import { type Refusal, RefusalError } from './refusals';
import type { BodySeal } from './sealed-body';

const JSON_TYPE = /^application\/(json|[a-z0-9.+-]+\+json)\s*(;|$)/i;

/**
 * Refuses a media type that the route does not accept. Routes without a body accept and ignore any: clients send
 * `null`, nothing, or a content type without a body.
 *
 * @throws RefusalError
 */
export function checkMedia(route: Route | null, contentType: string | undefined): void {
  if (route?.body === undefined) return;
  if (
    route.body.kind === 'multipart' ||
    (contentType !== undefined && contentType !== '' && !JSON_TYPE.test(contentType))
  ) {
    throw new RefusalError({ kind: 'media-type', type: beginningOf(contentType ?? '', 100) });
  }
}

/**
 * The most JSON values of a body that the main thread parses. With more, each pass over them would block that thread
 * for tens of milliseconds.
 */
const VALUES_MAX = 50_000;

/**
 * Parses a JSON body; null if it is empty.
 *
 * @param maxValues how many values it may have
 * @throws RefusalError for malformed JSON, for too many values, and for a repeated key if the route refuses that
 */
export function parseBody(bytes: Buffer | null, route: Route, maxValues = VALUES_MAX): unknown {
  const field = fieldOf(route);
  return bytes === null || bytes.length === 0 ? null : parseJson(bytes.toString('utf8'), field, route, maxValues);
}

/** The refusal of a body with more than `maxValues` values. Its text does not say how many there are, because `valuesIn` only estimates that. */
export function tooManyValues(route: Route, maxValues: number): Refusal {
  const problem = `Input holds more values than the limit of ${maxValues}. ${bodyRemedy(route)}`;
  return { kind: 'invalid', errors: { [fieldOf(route)]: problem } };
}

/** The field that refusals of a whole body name. */
function fieldOf({ body }: Route): string {
  return body?.kind === 'multipart' ? body.field : 'body';
}

/** Parses JSON. Never sets a prototype: `__proto__` is refused. */
export function parseJson(text: string, field: string, route: Route, maxValues = VALUES_MAX): unknown {
  // A shorter text cannot contain that many values.
  if (text.length > maxValues && valuesIn(Buffer.from(text)) > maxValues)
    throw new RefusalError(tooManyValues(route, maxValues));
  const scan = scanJson(text);
  let json: unknown;
  try {
    json = secureJson.parse(text, exactly(scan) ?? null, { protoAction: 'error', constructorAction: 'ignore' });
  } catch (fault) {
    throw new RefusalError({ kind: 'invalid', errors: { [field]: jsonProblem(text, fault) } });
  }
  const twice = keysAreSingle(route);
  const key = twice === null ? null : findDuplicateKey(text, scan, json, twice);
  if (key !== null) invalid({ [key.map(echo).join('.')]: 'This key stands twice in one object. Send it once' });
  return json;
}

/**
 * The paths of objects in which a key must not occur twice, because the first value would be lost silently. Null:
 * nowhere.
 */
function keysAreSingle(route: Route): ((path: readonly string[]) => boolean) | null {
  if (isEvidence(route)) return () => true;
  const isReport = route.body?.kind === 'json' && route.body.counted !== undefined;
  return isReport ? (path) => path.at(-1) === 'digests' : null;
}

/** Reads evidence in a form. */
export interface LargeEvidence {
  /** Counts bytes as they arrive. @throws RefusalError */
  readonly count: (bytes: number) => void;
  /** The checked body; null if it is not large. @throws RefusalError */
  readonly read: (bytes: Buffer) => Promise<{ readonly body: unknown } | null>;
}

export interface ReadBody {
  readonly body: unknown;
  readonly files: Readonly<Record<string, CallFile>>;
  readonly attachments: readonly CallAttachment[];
}

/**
 * The body of a call, checked by the shape of the route.
 *
 * @param json the body as it was parsed, unless it is a form
 * @param store takes the content of attachments
 * @param largeEvidence counts the bytes of evidence in a form, and reads the evidence if it is large
 * @param seal the seal of the gateway, which a forwarded form must match
 * @throws RefusalError
 */
export async function readBody(
  route: Route,
  request: FastifyRequest,
  json: unknown,
  limits: Limits,
  store: Store,
  largeEvidence: LargeEvidence,
  seal?: BodySeal,
): Promise<ReadBody> {
  const rule = route.body;
  if (rule === undefined) return { body: undefined, files: {}, attachments: [] };
  if (rule.kind === 'multipart') {
    const form = await readForm(
      request,
      { bodyBytes: bodyLimit(route, limits), attachmentBytes: limits.attachmentBytes },
      rule.file,
      takesAttachments(route) ? store : null,
      seal,
      isEvidence(route) ? { name: rule.field, count: largeEvidence.count } : null,
    );
    const { files, attachments } = form;
    const read = form.json === null ? null : await largeEvidence.read(form.json);
    if (read !== null) return { body: read.body, files, attachments };
    const text = form.json?.toString('utf8') ?? form.fields[rule.field];
    if (text === undefined) invalid({ [rule.field]: 'Field required' });
    return { body: requireValid(checkBody(rule.shape, parseJson(text, rule.field, route))), files, attachments };
  }
  return { body: checkedBody(rule, json, limits.artifactsPerReport), files: {}, attachments: [] };
}

/**
 * Counts the artifacts of a JSON body, and checks it or the JSON of a form by the shape of its route.
 *
 * @throws RefusalError
 */
export function checkedBody(rule: NonNullable<Route['body']>, json: unknown, limit: number): unknown {
  if (rule.kind === 'multipart') return requireValid(checkBody(rule.shape, json));
  const { counted, shape } = rule;
  const count = counted?.(json) ?? 0;
  if (count > limit) throw new RefusalError({ kind: 'too-many-artifacts', limit, count });
  return requireValid(checkBody(shape, json));
}

function requireValid<T>(validated: ValidationResult<T>): T {
  return 'errors' in validated ? invalid(validated.errors) : validated.value;
}

function invalid(errors: FieldErrors): never {
  throw new RefusalError({ kind: 'invalid', errors });
}
