import { useSuspenseQueries } from '@tanstack/react-query';
import { query, type Schemas } from '../../api/client';
import { useOrg } from '../../api/session';

/** Which of the first steps are done. */
export interface Progress {
  readonly environment: boolean;
  readonly artifact: boolean;
  readonly running: boolean;
}

const PAGE = { page: 1, per_page: 1 } as const;

/** Reads how far an organization is. Steps that other users or a pipeline did also count. */
export function useProgress(): Progress {
  const path = { org: useOrg() };
  const [environments, artifacts] = useSuspenseQueries({
    queries: [
      // The environment that changed last. An environment without reports has no such time.
      query.queryOptions('get', '/environments/{org}', {
        params: { path, query: { ...PAGE, sort: 'last_changed_at', sort_direction: 'desc' } },
      }),
      query.queryOptions('get', '/artifacts/{org}', { params: { path, query: PAGE } }),
    ],
  });
  const { environments: result, total_count } = environments.data as Schemas['EnvironmentPage'];
  return {
    environment: total_count > 0,
    artifact: artifacts.data.length > 0,
    running: (result[0]?.last_changed_at ?? null) !== null,
  };
}

export const isDone = ({ environment, artifact, running }: Progress): boolean => environment && artifact && running;
