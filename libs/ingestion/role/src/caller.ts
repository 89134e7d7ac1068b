import type { By } from './streams';

/** Who gives a command, in which organization. */
export interface Caller {
  readonly org: { readonly id: string; readonly name: string };
  /** Id of the user or service account. */
  readonly actor: string;
  readonly correlation: string;
}

/** What commits say of a caller. */
export function by({ org, actor, correlation }: Caller): By {
  return { org: org.id, actor, correlation };
}
