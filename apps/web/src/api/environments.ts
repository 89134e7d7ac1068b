import type { Schemas } from './client';
import { useAnswer } from './use-answer';

/** An organization's environments, for choices. There are at most 1,000. */
export function useEnvironments(): readonly Schemas['Environment'][] {
  const data = useAnswer('/environments/{org}', {});
  return 'environments' in data ? data.environments : data;
}

/** The names of the environments. */
export const useEnvironmentNames = (): readonly string[] => useEnvironments().map(({ name }) => name);
