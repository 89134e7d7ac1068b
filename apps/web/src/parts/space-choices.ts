import type { Schemas } from '../api/client';

/** Id of the root, which contains all spaces. */
export const ROOT = 'root';

/** The choices for a place: ids with paths. */
export const places = (spaces: readonly Schemas['Space'][]): readonly (readonly [id: string, path: string])[] => [
  [ROOT, 'At the top'],
  ...spaces.map(({ id, path }) => [id, path.join(' / ')] as const),
];
