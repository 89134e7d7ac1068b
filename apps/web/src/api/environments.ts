import { query, type Schemas } from './client';

/** The environments of an organization: at most 1,000 of them. */
export function useEnvironments(org: string): readonly Schemas['Environment'][] {
  const { data } = query.useSuspenseQuery('get', '/environments/{org}', { params: { path: { org } } });
  return 'environments' in data ? data.environments : data;
}

/** Their names, for choices. */
export const useEnvironmentNames = (org: string): readonly string[] => useEnvironments(org).map(({ name }) => name);
