import { parseTime } from '@assurance/kernel';
import { parseTimeAgo } from './time-ago';

/** The requested snapshot of an environment. `text` is the expression as errors show it. */
export type SnapshotExpression =
  /** So many behind the latest. */
  | { readonly kind: 'behind'; readonly text: string; readonly behind: number }
  | { readonly kind: 'index'; readonly text: string; readonly index: number }
  /** The one in force then: integer milliseconds. */
  | { readonly kind: 'time'; readonly text: string; readonly at: number };

/** The forms of an expression, for error texts. */
export const EXPRESSION_FORMS = "'-1', '-N', '~N', 'N', '#N', '@{now}', '@{2023-10-02T12:00:00}' or '@{5.hours.ago}'";

/** The forms of an environment with an expression, for error texts. */
export const SNAPPISH_FORMS = "such as 'env', 'env#3', 'env~1', 'env@{2023-10-02T12:00:00}' or 'env@{5.hours.ago}'";

const LATEST = { kind: 'behind', behind: 0 } as const;

/**
 * Reads `-1`, `-(N+1)`, `~N`, `N`, `#N`, `@{now}`, `@{2023-10-02T12:00:00}` and `@{5.hours.ago}`.
 *
 * @param now integer milliseconds
 * @returns null for anything else
 */
export function readExpression(text: string, now: number): SnapshotExpression | null {
  const [, sign, digits] = /^([-~#]?)(\d{1,15})$/.exec(text) ?? [];
  if (digits !== undefined) return parseNumbered(sign ?? '', digits, text);
  const [, time] = /^@\{([^{}]{1,60})\}$/.exec(text) ?? [];
  if (time === undefined) return null;
  if (time === 'now') return { ...LATEST, text };
  const at = parseTime(time) ?? parseTimeAgo(time, now, false);
  return at === null ? null : { kind: 'time', text, at };
}

function parseNumbered(sign: string, digits: string, text: string): SnapshotExpression | null {
  const number = Number(digits);
  switch (sign) {
    case '~':
      return { kind: 'behind', text, behind: number };
    case '-':
      return number === 0 ? null : { kind: 'behind', text: `#${text}`, behind: number - 1 };
    default:
      return { kind: 'index', text: `#${digits}`, index: number };
  }
}

/** An environment's name with an expression after it. */
export interface SnapshotReference {
  readonly environment: string;
  readonly expression: SnapshotExpression;
}

/**
 * Reads `env`, `env#N`, `env~N` and `env@{...}`; the name alone means the latest.
 *
 * @param now integer milliseconds
 * @returns null for anything else
 */
export function readSnappish(text: string, now: number): SnapshotReference | null {
  const [, environment, rest] = /^([^#~@]+)([#~@].*)?$/s.exec(text) ?? [];
  if (environment === undefined) return null;
  if (rest === undefined) return { environment, expression: { ...LATEST, text: '' } };
  const expression = rest === '#-1' ? { ...LATEST, text: rest } : readExpression(rest, now);
  return expression === null ? null : { environment, expression };
}
