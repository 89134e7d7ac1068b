import type { EnvironmentType } from '@assurance/contracts-events';
import type { Environment } from './environment';

/** An environment that is revived with another type starts without running artifacts. Its history stays. */
export function revivedAs({ reportedAs, ...state }: Environment, type: EnvironmentType): Environment {
  if (type === state.type) return reportedAs === undefined ? state : { ...state, reportedAs };
  const before = reportedAs ?? state.type;
  const afresh = state.snapshot === 0 || before === type ? {} : { reportedAs: before };
  return { ...state, type, includedEnvironments: type === 'logical' ? [] : null, judged: null, ...afresh };
}
