import type { Refusal } from './refusals';

/** The longest path segment in characters: an escaped snapshot expression or repository name is longer than Fastify's default of 100. */
export const SEGMENT_MAX = 4_096;

export const BAD_PATH: Refusal = {
  kind: 'invalid',
  errors: { path: 'The path is not well encoded, or a part of it is too long' },
};

/** Whether a segment of a path is longer than any route accepts. @param path with a valid percent-encoding */
export function isTooLong(path: string): boolean {
  return path.split('/').some((part) => decodeURIComponent(part).length > SEGMENT_MAX);
}
