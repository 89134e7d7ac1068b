import { beginningOf, input, plausibleTime, SECONDS_MAX } from '@assurance/kernel';
import { NO_TIME, PATTERNS, plainFingerprint } from '../patterns';
import { anything, integer, map, number, type NumberRule, type Shape, text, withKeywords } from '../shape';
import { asSent, withCheck, withConversion, optional, withPreparation } from './body';

interface Example {
  readonly example?: unknown;
}
type TimeExample = Pick<NumberRule, 'example'>;
type AnyObject = Readonly<Record<string, unknown>>;

/** A fingerprint, converted by `plainFingerprint`. */
export const fingerprint = (description?: string, { example }: Example = {}): Shape<string> =>
  withPreparation(text(description, { pattern: PATTERNS.sentFingerprint, example }), (value) =>
    typeof value === 'string' ? plainFingerprint(value) : value,
  );

/** A time in whole epoch seconds. */
export const time = (description: string, { example }: TimeExample = {}): Shape<number> =>
  integer(description, { min: 0, max: SECONDS_MAX, problem: NO_TIME, example });

/** A creation time in whole epoch seconds. If tools do not know it, they send any number before the year 2000. */
export const creationTime = (description: string, { example }: TimeExample): Shape<number> =>
  integer(description, { max: SECONDS_MAX, problem: NO_TIME, example });

/** A time from other systems in epoch seconds. Times before the year 2000 are unknown and become 0. Milliseconds are refused. */
export const reportedTime = (description: string, { example }: TimeExample): Shape<number> =>
  withConversion(
    number(description, { max: SECONDS_MAX, problem: NO_TIME, example }),
    (value) => plausibleTime(value) ?? 0,
  );

/** A value that tools send as a time: any value except a number that lies too far in the future. */
export const lenientTime = (description?: string, rule?: Example): Shape<unknown> =>
  withConversion(
    withCheck(
      anything(description, rule),
      (value) => (typeof value !== 'number' || value <= SECONDS_MAX ? null : `${NO_TIME} ${input(value)}`),
      {
        anyOf: [{ type: 'number', maximum: SECONDS_MAX }, { type: ['string', 'boolean', 'object', 'array', 'null'] }],
      },
    ),
    zeroIfImplausible,
  );

/** Replaces a number that is no plausible time with 0. Other values stay unchanged. */
export function zeroIfImplausible(time: unknown): unknown {
  return typeof time === 'number' ? (plausibleTime(time) ?? 0) : time;
}

/** A text for readers. A longer text is cut and marked, never refused. */
export const cutText = (
  max: number,
  description = `A text of more than ${max} characters is cut.`,
  { example }: Example = {},
): Shape<string> =>
  withPreparation(text(description, { example }), (value) =>
    typeof value === 'string' && value.length > max ? cutTo(value, max) : value,
  );

function cutTo(text: string, max: number): string {
  const mark = `… [cut: ${text.length} characters]`;
  return beginningOf(text, max - mark.length) + mark;
}

/** Any JSON, which may be left out, stored as it was sent. */
export const anyJson = (description: string, rule?: Example): Shape<unknown> =>
  optional(asSent(anything(description, rule)));

/** An object with any content. Its numbers are doubles. */
export const anyObject = (description?: string, { example }: Example = {}): Shape<AnyObject> =>
  withKeywords(map(anything(), description, { example }), { additionalProperties: true });

/** An object with any content, stored as it was sent. */
export const freeObject = (description?: string, rule?: Example): Shape<AnyObject> =>
  asSent(anyObject(description, rule));
