import { asSent, withCheck, withConversion, optional, withPreparation } from '../../http/bodies/body';
import { isPlain } from '../../http/bodies/plain';
import { creationTime } from '../../http/bodies/words';
import { INPUT_FINGERPRINT, patternMessage, PATTERNS, plainFingerprint } from '../../http/patterns';
import { anything, list, map, oneOf, type Shape, text, withKeywords } from '../../http/shape';
import type { InstanceContext } from '../events';

/** Matches digests that are not in the stored form. */
const NOT_PLAIN = /[A-F:]/;
const WEIGHT_MAX = 32 * 1024 * 1024;
/** The most bytes of an artifact's name in UTF-8. Expressions of policies are matched with the name. */
const NAME_BYTES_MAX = 512;
const NAME_BYTES = 'x-maxBytesOfNames';
const WEIGHT = 'x-maxCharactersKeptWithDigests';

const JSON_BYTES = 'x-maxJsonBytes';
const JSON_VALUES = 'x-maxJsonValues';

/** Our own keywords in the JSON schemas of bodies. Each function checks whether a value keeps to the keyword's limit. */
export const KEYWORDS: Readonly<Record<string, (limit: number, value: unknown) => boolean>> = {
  [JSON_BYTES]: (limit, value) => jsonBytes(value) <= limit,
  [JSON_VALUES]: (limit, value) => valuesOf(value, limit + 1) <= limit,
  [NAME_BYTES]: (limit, digests) => !isPlain(digests) || Object.keys(digests).every((name) => bytesOf(name) <= limit),
  [WEIGHT]: (limit, items) => !Array.isArray(items) || weightOf(items) <= limit,
};

/** How many characters of a name that is too long are shown. */
const NAME_SHOWN = 100;

function bytesOf(text: string): number {
  // Most names are too short to reach the limit in any encoding, so their bytes are not counted.
  return text.length * 3 <= NAME_BYTES_MAX ? text.length : new TextEncoder().encode(text).length;
}

/** Converts the digests to the stored form. Wrong values stay unchanged for the error message. Returns the same object if nothing changes. */
function plainDigests(digests: unknown): unknown {
  if (!isPlain(digests) || !Object.values(digests).some(isNotPlain)) return digests;
  return Object.fromEntries(
    Object.entries(digests).map(([name, sha]) => [name, typeof sha === 'string' ? plainFingerprint(sha) : sha]),
  );
}

function isNotPlain(digest: unknown): boolean {
  return typeof digest === 'string' && NOT_PLAIN.test(digest);
}

const SHORTER = 'Send what is larger with an attestation as a file';

/** Any JSON, with limits for its bytes without whitespace and for its number of values. */
export const limitedJson = (
  description: string,
  { bytes, values, example }: { readonly bytes: number; readonly values: number; readonly example: unknown },
): Shape<unknown> =>
  withCheck(
    asSent(anything(description, { example })),
    (value) => {
      if (valuesOf(value, values + 1) > values) return `Input should hold at most ${values} values. ${SHORTER}`;
      const size = jsonBytes(value);
      return size > bytes ? `Input has ${size} bytes of JSON, more than the limit of ${bytes}. ${SHORTER}` : null;
    },
    { [JSON_BYTES]: bytes, [JSON_VALUES]: values },
  );

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}

/** Counts the values within a value, itself included. It stops counting at `most`. */
function valuesOf(value: unknown, most: number): number {
  let count = 0;
  const open = [value];
  while (open.length > 0 && count < most) {
    const item = open.pop();
    count += 1;
    if (typeof item === 'object' && item !== null) for (const inner of Object.values(item)) open.push(inner);
  }
  return count;
}

interface DigestRule {
  /** What a name identifies, with an example of a name. */
  readonly named: readonly [of: string, example: string];
  /** Whether an empty text is allowed for a digest that is not known yet. */
  readonly unknown?: boolean;
  /** Whether there must be exactly one entry. */
  readonly single?: boolean;
}

/** Digests by their names. V8 parses and stores thousands of pairs at a third of the cost of objects with different keys. */
type Digests = readonly (readonly [name: string, sha256: string])[];

/** The `digests` of an item. */
function digestsOf({ named: [of, example], unknown = false, single = false }: DigestRule): Shape<Digests> {
  const description = `SHA-256 digests by ${of}: 64 hexadecimal characters${unknown ? ', or empty while it is unknown' : ''}${single ? '; exactly one entry' : ''}.`;
  const pattern = unknown ? `${INPUT_FINGERPRINT}|^$` : INPUT_FINGERPRINT;
  // Reports have thousands of digests, so one check takes them all.
  const { schema } = map(withKeywords(text(), { pattern }), description, { example: { [example]: 'a'.repeat(64) } });
  const digests = withCheck<Readonly<Record<string, unknown>>>(
    { schema },
    (value) => {
      const count = Object.keys(value).length;
      if (single && count !== 1) return `Input should have exactly one entry [input: ${count} entries]`;
      return Object.fromEntries(Object.entries(value).flatMap(([name, sha]) => digestProblem(name, sha, unknown)));
    },
    { [NAME_BYTES]: NAME_BYTES_MAX, ...(single ? { minProperties: 1, maxProperties: 1 } : {}) },
  );
  return withConversion(withPreparation(digests, plainDigests), (value) => Object.entries(value) as unknown as Digests);
}

/** The problem of a digest under its name. */
function digestProblem(name: string, sha: unknown, unknown: boolean): (readonly [name: string, problem: string])[] {
  if (bytesOf(name) > NAME_BYTES_MAX)
    return [[name.slice(0, NAME_SHOWN), `A name should have at most ${NAME_BYTES_MAX} bytes`]];
  return typeof sha === 'string' && (PATTERNS.fingerprint.matches(sha) || (unknown && sha === ''))
    ? []
    : [[name, patternMessage(PATTERNS.fingerprint, sha)]];
}

/** One item of a report: what one container, pod or task runs. */
export interface Item {
  readonly digests: Digests;
  readonly creationTimestamp: number;
  /** Either all items of a report have it or none. */
  readonly context?: InstanceContext;
}

/** The fields that every item has. */
export const itemFields = (digests: DigestRule) =>
  ({
    digests: digestsOf(digests),
    creationTimestamp: creationTime(
      'When the instance was created, in epoch seconds; 0 when unknown. What lies before the year 2000 is unknown, too.',
      { example: 1_700_000_000 },
    ),
  }) as const;

/** The `type` of a report. Clients may repeat the kind of the report there. */
export const kind = <const T extends string>(name: T): Shape<T | undefined> =>
  optional(oneOf([name], 'The type of the report, repeated.', { example: name }));

/** The `artifacts` of a report. */
export function artifactsOf<T extends object>(item: Shape<T>): Shape<readonly T[]> {
  const description =
    'Everything that runs in the environment now. An empty list or null: nothing runs. ' +
    `Details of an item are stored with each of its digests. This may add at most ${WEIGHT_MAX} characters of JSON to the report.`;
  const artifacts = withCheck(list(item, description), (items) => (weightOf(items) > WEIGHT_MAX ? TOO_HEAVY : null), {
    type: ['array', 'null'],
    [WEIGHT]: WEIGHT_MAX,
  });
  return withPreparation(artifacts, (value) => (value === null ? [] : value));
}

const TOO_HEAVY = `Details of an item are stored with each of its digests: this adds more than ${WEIGHT_MAX} characters`;

/** By how much the stored details exceed the report. The details of an item are stored with each of its digests. */
function weightOf(items: readonly unknown[]): number {
  return items.reduce<number>((sum, item) => {
    if (!isPlain(item)) return sum;
    const { digests, ...rest } = item;
    const count = isPlain(digests) ? Object.keys(digests).length : 0;
    return count < 2 ? sum : sum + (count - 1) * JSON.stringify(rest).length;
  }, 0);
}
