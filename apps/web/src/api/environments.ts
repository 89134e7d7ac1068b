import type { Schemas } from './client';
import { useAnswer } from './use-answer';

/** An organization's environments, for choices: at most 1,000 of them. */
export function useEnvironments(): readonly Schemas['Environment'][] {
  const data = useAnswer('/environments/{org}', {});
  return 'environments' in data ? data.environments : data;
}

/** Their names. */
export const useEnvironmentNames = (): readonly string[] => useEnvironments().map(({ name }) => name);
