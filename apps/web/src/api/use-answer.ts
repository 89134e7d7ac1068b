import type { MethodResponse } from 'openapi-react-query';
import type { paths } from '../../generated/api';
import { hasNext, query } from './client';
import { useOrg } from './session';

/** Routes of the API below an organization. */
type Path = { [P in keyof paths]: paths[P] extends { get: object } ? P : never }[keyof paths] &
  `${string}{org}${string}`;
type Parameters<P extends Path> = paths[P]['get']['parameters'];

/** The answer of the API for the organization of the page. `names` fill the path, except `{org}`. Suspends until the answer arrives. */
export function useAnswer<P extends Path>(
  path: P,
  names: Omit<Parameters<P>['path'], 'org'>,
  search?: Parameters<P>['query'],
): MethodResponse<typeof query, 'get', P> {
  return useListPage(path, names, search)[0];
}

/** The same, and whether the list goes on after this page. */
export function useListPage<P extends Path>(
  path: P,
  names: Omit<Parameters<P>['path'], 'org'>,
  search?: Parameters<P>['query'],
): readonly [answer: MethodResponse<typeof query, 'get', P>, more: boolean] {
  // The types above ensure the right parameters. The client's own types need a path that is known here.
  const params = { path: { org: useOrg(), ...names }, query: search };
  const { data } = query.useSuspenseQuery('get', path as never, { params } as never);
  return [data, hasNext(path, params)];
}
