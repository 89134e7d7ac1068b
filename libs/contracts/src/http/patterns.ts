import { input } from '@assurance/kernel';

/** A rule for a text. Messages show it in exactly this spelling, which clients know. */
export interface Pattern {
  readonly text: string;
  readonly matches: (value: string) => boolean;
  /** What messages say in place of the pattern. */
  readonly problem?: string;
}

export function pattern(text: string, problem?: string): Pattern {
  // `$` alone also matches before a final line feed in some dialects; JavaScript's does not.
  const regex = new RegExp(text);
  return { text, matches: (value) => regex.test(value), problem };
}

/** Path segments that routes use in places where other routes have the name of a flow. */
const FLOW_ROUTES: ReadonlySet<string> = new Set(['list_attestations_for_criteria']);

/** Whether new flows cannot have a name. An existing flow with this name is still in lists, and routes with further segments find it. */
export function isReservedFlow(name: string): boolean {
  return FLOW_ROUTES.has(name);
}

/** Path segments that have another meaning where routes have the identifier of a control: no identifiers of new controls. */
export const RESERVED_CONTROLS: readonly string[] = ['.', '..', 'tags'];

/** Path segments that routes use in places where other routes have the name of a repository. */
const REPO_ROUTES: ReadonlySet<string> = new Set(['tags', 'filter-options']);

/** Whether new repositories cannot have a name. An existing repository with this name is still in lists, and can be found by its id. */
export function isReservedRepo(name: string): boolean {
  return REPO_ROUTES.has(name);
}

/** The accepted forms of a fingerprint: container tools write `sha256:` before it, and the letter case does not matter. */
export const INPUT_FINGERPRINT = '^([sS][hH][aA]256:)?[a-fA-F0-9]{64}$';

/** Patterns of names, fingerprints, commits and keys. */
export const PATTERNS = {
  email: pattern('^[^\\s@]+@[^\\s@]+$'),
  /** For new users and organizations. The paths of their pages begin with the name, so the first segments of other paths are excluded. */
  account: pattern(
    '^(?!(api|assets|documents|live|mcp|ready|schemas|sign-in|system-attestation-types)$)[a-zA-Z0-9][a-zA-Z0-9\\.\\-_]*$',
  ),
  environment: pattern('^[a-zA-Z0-9][a-zA-Z0-9\\.\\-_]*$'),
  flow: pattern('^[a-zA-Z0-9][a-zA-Z0-9\\.\\-_~]*$'),
  trail: pattern('^[a-zA-Z0-9][a-zA-Z0-9\\.\\-_~]*$'),
  /** Of existing controls: any text without control characters, and without whitespace at its ends. */
  control: pattern('^[^\\x00-\\x20\\x7f]([^\\x00-\\x1f\\x7f]*[^\\x00-\\x20\\x7f])?$'),
  newControl: pattern('^[a-zA-Z0-9\\-._~]+$'),
  notification: pattern('^[a-zA-Z0-9][a-zA-Z0-9\\-_\\.~/]*$'),
  serviceAccount: pattern('^[a-zA-Z0-9\\-]+$'),
  space: pattern('^\\S(.*\\S)?$'),
  policy: pattern('^[a-zA-Z0-9][a-zA-Z0-9\\-_\\.~]*$'),
  fingerprint: pattern('^[a-f0-9]{64}$'),
  /** A fingerprint as clients send it. Messages show the pattern of the stored form. */
  sentFingerprint: pattern(INPUT_FINGERPRINT, "String should match pattern '^[a-f0-9]{64}$'"),
  /** SHA-1, or SHA-256 in repositories that use it. */
  gitCommit: pattern('^([a-f0-9]{40}|[a-f0-9]{64})$'),
  tagKey: pattern('^[a-zA-Z0-9][a-zA-Z0-9\\-_\\.~]*$'),
  annotationKey: pattern('^[A-Za-z0-9_-]+$'),
} as const;

const WHOLE = /^(?:sha256:)?([a-f0-9]{64})$/i;
const DIGITS = /^(?:sha256:)?([a-f0-9]{1,64})$/i;

/** A fingerprint in the stored form: without `sha256:`, in lower case. Any other text stays unchanged. */
export function plainFingerprint(text: string): string {
  return WHOLE.exec(text)?.[1]?.toLowerCase() ?? text;
}

/** The same for the beginning of a fingerprint or commit. */
export function plainDigits(text: string): string {
  return DIGITS.exec(text)?.[1]?.toLowerCase() ?? text;
}

/** Explains why a number cannot be a time, for example because it is in milliseconds. */
export const NO_TIME = 'Input should be a time from 1970 to 9999, in epoch seconds';

/** `String should match pattern '<regex>' [input: <value>]`. */
export function patternMessage(rule: Pattern, value: unknown): string {
  return `${rule.problem ?? `String should match pattern '${rule.text}'`} ${input(value)}`;
}

/**
 * The errors of a path's parameters, by name; empty for a route without patterns.
 *
 * @param patterns the pattern and the length limit of each parameter
 */
export function pathErrors(
  patterns: Readonly<Record<string, { readonly pattern: Pattern; readonly max: number }>>,
  params: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const problems = Object.entries(patterns).flatMap(([name, { pattern: rule, max }]) => {
    const value = params[name];
    if (value === undefined || (rule.matches(value) && value.length <= max)) return [];
    const long = rule.matches(value);
    return [[name, long ? `Input should have at most ${max} characters ${input(value)}` : patternMessage(rule, value)]];
  });
  return Object.fromEntries(problems) as Record<string, string>;
}
