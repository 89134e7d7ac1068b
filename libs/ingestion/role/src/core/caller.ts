import type { Call } from '@assurance/http';
import type { By } from './streams';

/** Who gives a command, in which organization. */
export interface Caller {
  readonly org: { readonly id: string; readonly name: string };
  /** Id of the user or service account. */
  readonly actor: string;
  readonly correlation: string;
}

export function callerOf({ org, principal, correlation }: Call): Caller {
  return { org, actor: principal.id, correlation };
}

/** What commits say of a caller. */
export function by({ org, actor, correlation }: Caller): By {
  return { org: org.id, actor, correlation };
}
