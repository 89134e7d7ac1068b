import { input } from '@assurance/kernel';
import { withCheck } from '../../http/bodies/body';
import { characters, isPlain } from '../../http/bodies/plain';
import type { FieldErrors } from '../../http/params';
import { type JsonSchema, list, type Shape } from '../../http/shape';
import { URL_CHANNELS, type UrlTarget } from '../events';

/** The most targets of a notification, or of a target configuration. */
const TARGETS_MAX = 10;
const URL_MAX = 2_048;
const EMAILS_MAX = 1_000;
const WORD_MAX = 200;

/** A URL with a host, and optional user and password. An empty text keeps the current URL. */
const URL_TEXT = '^(https?://([^\\s/?#]*@)?[^\\s/?#@]+([/?#]\\S*)?)?$';
const EMAIL = '[^\\s@,<>"]+@[^\\s@,<>"]+';
const EMAILS_TEXT = `^\\s*${EMAIL}\\s*(,\\s*${EMAIL}\\s*)*$`;

/** A text in a target: its pattern, and the message for a text that does not match. */
interface TextField {
  readonly pattern?: string;
  readonly max: number;
  readonly problem: string;
  /** Whether it may contain a secret, so errors must not repeat it. */
  readonly hidden?: true;
  /** The pattern of items, if a list of texts is also allowed. The characters of all items count together. */
  readonly items?: string;
}

const webhook: TextField = {
  pattern: URL_TEXT,
  max: URL_MAX,
  problem: `Input should be an http or https URL of at most ${URL_MAX} characters; it may have user:password@ before the host`,
  hidden: true,
};
const emails: TextField = {
  pattern: EMAILS_TEXT,
  max: EMAILS_MAX,
  problem: `Input should be a list of mail addresses, or a text with commas between them, of at most ${EMAILS_MAX} characters`,
  items: `^\\s*${EMAIL}\\s*$`,
};
const word: TextField = {
  pattern: '\\S',
  max: WORD_MAX,
  problem: `Input should be a text of 1 to ${WORD_MAX} characters`,
};
const version: TextField = { pattern: '^1\\.0$', max: 3, problem: "Input should be '1.0'" };
const shown: TextField = { max: WORD_MAX, problem: 'Input should be a text' };

interface Kind {
  readonly required: Readonly<Record<string, TextField>>;
  readonly optional: Readonly<Record<string, TextField>>;
  readonly context?: true;
  /** Whether the target must name its type. */
  readonly typed?: true;
}

/** For `URL_CHANNELS`. Only its type distinguishes such a target from a webhook. */
const urlKind: Kind = { required: {}, optional: { id: shown, webhook, webhook_hint: shown }, typed: true };

const CONTEXT = ['team_id', 'channel_id', 'channel_name'] as const;
/** Answers contain these fields, so requests may repeat them; they are ignored. */
const TIMES = ['last_success_at', 'last_failure_at'] as const;

const CHANNELS: Readonly<Record<string, Kind>> = {
  SLACK: { required: {}, optional: { id: shown, webhook, webhook_hint: shown }, context: true },
  WEBHOOK: {
    required: {},
    optional: { id: shown, webhook, webhook_hint: shown, payload_version: version, signing_secret: shown },
  },
  EMAIL: { required: { emails }, optional: { id: shown } },
  ...Object.fromEntries(URL_CHANNELS.map((type) => [type, urlKind])),
};
const ALL: Readonly<Record<string, Kind>> = {
  ...CHANNELS,
  NESTED_CONFIG: { required: { config: word }, optional: { id: shown } },
};

interface Context {
  readonly team_id?: string | null;
  readonly channel_id?: string | null;
  readonly channel_name?: string | null;
}
/** The URL of a target. If it is absent or empty, the current URL stays. */
export interface WebhookInput {
  readonly webhook?: string | null;
  readonly webhook_hint?: string | null;
}
/** A valid target. Optional fields may be null. */
export type ChannelTargetInput = { readonly id?: string | null } & (
  | ({ readonly type: 'SLACK'; readonly context?: Context | null } & WebhookInput)
  | ({ readonly type: 'WEBHOOK'; readonly payload_version?: '1.0' | null } & WebhookInput)
  | { readonly type: 'EMAIL'; readonly emails: string | readonly string[] }
  | ({ readonly type: UrlTarget['type'] } & WebhookInput)
);
export type TargetInput =
  ChannelTargetInput | { readonly id?: string | null; readonly type: 'NESTED_CONFIG'; readonly config: string };

/** Returns a target with its type. If it has no type, its fields decide. */
export function typed<T extends TargetInput>(target: T): T {
  return Object.hasOwn(target, 'type') ? target : { ...target, type: typeOf(target) };
}

/** Hosts of Slack's incoming webhooks. */
const SLACK = /^https:\/\/hooks\.slack(-gov)?\.com\//;

/** Finds the type of a target by its fields or, if these are not enough, by its URL. Empty if neither shows the type. */
function typeOf(target: object): string {
  const has = (field: string) => Object.hasOwn(target, field);
  if (has('emails')) return 'EMAIL';
  if (has('config')) return 'NESTED_CONFIG';
  if (has('context')) return 'SLACK';
  if (!has('webhook') && !has('payload_version')) return '';
  const { webhook: address } = target as { readonly webhook?: unknown };
  return !has('payload_version') && typeof address === 'string' && SLACK.test(address) ? 'SLACK' : 'WEBHOOK';
}

const EXAMPLE = [{ type: 'WEBHOOK', webhook: 'https://hooks.example.com/shop' }];

function targetsOf<T>(kinds: Readonly<Record<string, Kind>>, description: string): Shape<readonly T[]> {
  const target: Shape<T> = { schema: { anyOf: Object.entries(kinds).map(([type, kind]) => schemaOf(type, kind)) } };
  const items = withCheck(target, (value) => problemsOf(value, kinds));
  return list(items, description, { max: TARGETS_MAX, noun: 'targets', example: EXAMPLE });
}

function problemsOf(target: unknown, kinds: Readonly<Record<string, Kind>>): FieldErrors {
  if (!isPlain(target)) return { '': `Input should be an object ${input(target)}` };
  const type = target['type'] === undefined ? typeOf(target) : target['type'];
  const kind = typeof type === 'string' && Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (kind === undefined) {
    const words = Object.keys(kinds).map((candidate) => `'${candidate}'`);
    return { type: `Input should be ${words.join(', ')} ${input(type ?? null)}` };
  }
  const { required, optional, context } = kind;
  const allowedFields = [
    'type',
    ...Object.keys({ ...required, ...optional }),
    ...TIMES,
    ...(context ? ['context'] : []),
  ];
  const errors = new Map<string, string>();
  for (const key of Object.keys(target)) {
    if (!allowedFields.includes(key)) errors.set(key, `Unknown property ${input(target[key])}`);
  }
  for (const [key, field] of Object.entries(required)) check(key, target[key], field, errors, 'Field required');
  for (const [key, field] of Object.entries(optional)) check(key, target[key], field, errors);
  for (const key of TIMES) {
    const time = target[key] ?? 0;
    if (typeof time !== 'number') errors.set(key, `Input should be a number ${input(time)}`);
  }
  if (context) contextProblems(target['context'], errors);
  return Object.fromEntries(errors);
}

function contextProblems(context: unknown, errors: Map<string, string>): void {
  if (context === undefined || context === null) return;
  if (!isPlain(context)) {
    errors.set('context', `Input should be an object ${input(context)}`);
    return;
  }
  for (const key of Object.keys(context)) {
    if (!CONTEXT.some((field) => field === key))
      errors.set(`context.${key}`, `Unknown property ${input(context[key])}`);
  }
  for (const key of CONTEXT) check(`context.${key}`, context[key], word, errors);
}

function check(path: string, value: unknown, field: TextField, errors: Map<string, string>, absent?: string): void {
  if (value === undefined || value === null) {
    if (absent !== undefined) errors.set(path, absent);
  } else if (!fits(value, field)) errors.set(path, field.hidden ? field.problem : `${field.problem} ${input(value)}`);
}

function fits(value: unknown, { pattern, max, items }: TextField): boolean {
  if (Array.isArray(value) && items !== undefined) {
    const texts: readonly unknown[] = value;
    const isItem = (item: unknown) => typeof item === 'string' && new RegExp(items).test(item);
    return texts.length > 0 && texts.length <= max && texts.every(isItem) && characters(texts.join(',')) <= max;
  }
  return (
    typeof value === 'string' && characters(value) <= max && (pattern === undefined || new RegExp(pattern).test(value))
  );
}

function schemaOf(type: string, { required, optional, context, typed: hasType }: Kind): JsonSchema {
  const texts = Object.entries({ ...required, ...optional }).map(([key, field]) => [
    key,
    textSchema(field, key in required),
  ]);
  const times = TIMES.map((key) => [key, { type: ['number', 'null'] }]);
  const properties = Object.fromEntries([
    ['type', { type: 'string', enum: [type], default: type }],
    ...texts,
    ...times,
  ]) as JsonSchema;
  return {
    type: 'object',
    properties: context ? { ...properties, context: CONTEXT_SCHEMA } : properties,
    required: [...(hasType ? ['type'] : []), ...Object.keys(required)],
    ...(hasType || Object.keys(required).length > 0 ? {} : { anyOf: tellingOf(properties, context) }),
    additionalProperties: false,
  };
}

/** Requires at least one of the fields by which `typeOf` finds the type of a target. */
function tellingOf(properties: JsonSchema, context?: true): readonly JsonSchema[] {
  const fields = ['type', 'webhook', 'payload_version'].filter((field) => Object.hasOwn(properties, field));
  return [...fields, ...(context ? ['context'] : [])].map((field) => ({ required: [field] }));
}

function textSchema({ pattern, max, items }: TextField, required: boolean): JsonSchema {
  const rules = { maxLength: max, ...(pattern === undefined ? {} : { pattern }) };
  if (items !== undefined) {
    const item = { type: 'string', maxLength: max, pattern: items };
    return {
      anyOf: [
        { type: 'array', minItems: 1, maxItems: max, items: item },
        { type: 'string', ...rules },
      ],
    };
  }
  return { type: required ? 'string' : ['string', 'null'], ...rules };
}

const CONTEXT_SCHEMA: JsonSchema = {
  type: ['object', 'null'],
  properties: Object.fromEntries(CONTEXT.map((key) => [key, textSchema(word, false)])),
  additionalProperties: false,
};

/** Targets of every kind (specification 4.2). Properties that a kind does not have are errors. */
export const targets = targetsOf<TargetInput>(ALL, 'The targets.');
/** The same without references to configurations. */
export const channelTargets = targetsOf<ChannelTargetInput>(CHANNELS, 'The targets; these cannot be configurations.');
