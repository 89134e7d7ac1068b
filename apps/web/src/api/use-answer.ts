import type { MethodResponse } from 'openapi-react-query';
import type { paths } from '../../generated/api';
import { query } from './client';
import { useOrg } from './session';

/** Routes of the API below an organization. */
type Path = { [P in keyof paths]: paths[P] extends { get: object } ? P : never }[keyof paths] &
  `${string}{org}${string}`;
type Parameters<P extends Path> = paths[P]['get']['parameters'];

/** What the API answers about the organization of the page; `names` fill the path, but for `{org}`. Suspends until it is there. */
export function useAnswer<P extends Path>(
  path: P,
  names: Omit<Parameters<P>['path'], 'org'>,
  search?: Parameters<P>['query'],
): MethodResponse<typeof query, 'get', P> {
  // What fits is said by the types above: those of the client need a path that is known here already.
  const params = { path: { org: useOrg(), ...names }, query: search };
  return query.useSuspenseQuery('get', path as never, { params } as never).data;
}
