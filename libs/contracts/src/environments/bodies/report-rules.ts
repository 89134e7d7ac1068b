import type { Rule } from '../../http/bodies/body';
import { Describe } from '../../http/bodies/described';
import { isPlain } from '../../http/bodies/plain';
import { all, CreationTime, Doc, MapOf, NestedList, Optional, Parts, Word } from '../../http/bodies/rules';
import type { FieldErrors } from '../../http/params';
import { INPUT_FINGERPRINT, patternMessage, PATTERNS, plainFingerprint } from '../../http/patterns';
import type { Class } from '../../http/route';
import { Convert, FreeForm, Preprocess } from './instance';

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
export const AnyJson = (bytes: number, values: number): Rule<unknown> =>
  all(
    FreeForm,
    Parts(
      (value): FieldErrors => {
        if (valuesOf(value, values + 1) > values)
          return { '': `Input should hold at most ${values} values. ${SHORTER}` };
        const size = jsonBytes(value);
        return size > bytes
          ? { '': `Input has ${size} bytes of JSON, more than the limit of ${bytes}. ${SHORTER}` }
          : {};
      },
      { [JSON_BYTES]: bytes, [JSON_VALUES]: values },
    ),
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
function DigestsOf({ named: [of, example], unknown = false, single = false }: DigestRule): Rule<Digests> {
  const description = `SHA-256 digests by ${of}: 64 hexadecimal characters`;
  return all(
    Doc(`${description}${unknown ? ', or empty while it is unknown' : ''}${single ? '; exactly one entry' : ''}.`, {
      [example]: 'a'.repeat(64),
    }),
    Preprocess(plainDigests),
    MapOf(
      (name, sha) => {
        if (bytesOf(name) > NAME_BYTES_MAX)
          return { [name.slice(0, NAME_SHOWN)]: `A name should have at most ${NAME_BYTES_MAX} bytes` };
        return typeof sha === 'string' && (PATTERNS.fingerprint.matches(sha) || (unknown && sha === ''))
          ? null
          : { [name]: patternMessage(PATTERNS.fingerprint, sha) };
      },
      { additionalProperties: { type: 'string', pattern: unknown ? `${INPUT_FINGERPRINT}|^$` : INPUT_FINGERPRINT } },
    ),
    Describe({ [NAME_BYTES]: NAME_BYTES_MAX }),
    Convert((digests) => Object.entries(digests as object)),
    ...(single ? [SINGLE_ENTRY] : []),
  );
}

const SINGLE_ENTRY = Parts((input) => (isPlain(input) ? checkSingleEntry(Object.keys(input).length) : {}), {
  minProperties: 1,
  maxProperties: 1,
});

function checkSingleEntry(count: number): FieldErrors {
  return count === 1 ? {} : { '': `Input should have exactly one entry [input: ${count} entries]` };
}

/** The fields that every item has. */
export const itemFields = (digests: DigestRule) =>
  ({
    digests: DigestsOf(digests),
    creationTimestamp: [
      Doc(
        'When the instance was created, in epoch seconds; 0 when unknown. What lies before the year 2000 is unknown, too.',
        1_700_000_000,
      ),
      CreationTime(),
    ],
  }) as const;

/** The `type` of a report. Clients may repeat the kind of the report there. */
export const Kind = <const T extends string>(kind: T): readonly [Rule<unknown>, Rule<T | undefined>] => [
  Doc('The type of the report, repeated.', kind),
  Optional(Word([kind])),
];

/** The `artifacts` of a report. */
export const Items = <T extends object>(type: () => Class<T>): Rule<readonly T[]> =>
  all(
    Doc(
      'Everything that runs in the environment now. An empty list or null: nothing runs. ' +
        `Details of an item are stored with each of its digests. This may add at most ${WEIGHT_MAX} characters of JSON to the report.`,
    ),
    Preprocess((artifacts) => (artifacts === null ? [] : artifacts)),
    NestedList(type),
    Describe({ type: ['array', 'null'] }),
    Parts(notTooHeavy, { [WEIGHT]: WEIGHT_MAX }),
  );

const TOO_HEAVY = `Details of an item are stored with each of its digests: this adds more than ${WEIGHT_MAX} characters`;

function notTooHeavy(items: unknown): FieldErrors {
  return Array.isArray(items) && weightOf(items) > WEIGHT_MAX ? { '': TOO_HEAVY } : {};
}

/** By how much the stored details exceed the report. The details of an item are stored with each of its digests. */
function weightOf(items: readonly unknown[]): number {
  return items.reduce<number>((sum, item) => {
    if (!isPlain(item)) return sum;
    const { digests, ...rest } = item;
    const count = isPlain(digests) ? Object.keys(digests).length : 0;
    return count < 2 ? sum : sum + (count - 1) * JSON.stringify(rest).length;
  }, 0);
}
