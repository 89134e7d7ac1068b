import { useSuspenseQueries } from '@tanstack/react-query';
import { query, type Schemas } from './client';
import { useOrg } from './session';

type State = 'compliant' | 'non-compliant' | 'not-judged' | 'late';

/** For each state, or for late reports, returns the first environments and how many there are in total. */
export function useEnvironmentsIn(
  states: readonly (readonly [state: State, count: number])[],
): readonly Schemas['EnvironmentPage'][] {
  const org = useOrg();
  const queries = states.map(([state, per_page]) =>
    query.queryOptions('get', '/environments/{org}', {
      params: { path: { org }, query: { ...(state === 'late' ? { late: true } : { state: [state] }), per_page } },
    }),
  );
  return useSuspenseQueries({ queries }).map(({ data }) => data as Schemas['EnvironmentPage']);
}
