import type { Schemas } from '../api/client';

/** Id of the place that all spaces are below. */
export const ROOT = 'root';

/** Choices of where something may be: ids with paths. */
export const places = (spaces: readonly Schemas['Space'][]): readonly (readonly [id: string, path: string])[] => [
  [ROOT, 'At the top'],
  ...spaces.map(({ id, path }) => [id, path.join(' / ')] as const),
];
