import type { CommitAuthor } from '@assurance/event-sourcing/command/streams';

/** The caller of a command and the organization. */
export interface Caller {
  readonly org: { readonly id: string; readonly name: string };
  /** Id of the user or service account. */
  readonly actor: string;
  readonly correlation: string;
}

/** The caller of a request. */
export function callerOf({
  org,
  principal,
  correlation,
}: Pick<Caller, 'org' | 'correlation'> & { readonly principal: { readonly id: string } }): Caller {
  return { org, actor: principal.id, correlation };
}

/** The fields of a commit that name its caller. */
export function commitAuthorOf({ org, actor, correlation }: Caller): CommitAuthor {
  return { org: org.id, actor, correlation };
}
