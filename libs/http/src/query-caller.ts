import type { Site } from '@assurance/contracts/http/links';
import type { Settings } from '@assurance/event-sourcing/tokens';
import type { Call } from './call';

/** The caller of a query and the organization. */
export interface Caller {
  readonly org: { readonly id: string; readonly name: string };
  /** The id of the user or service account. Its queries include its own writes. */
  readonly actor: string;
}

export function callerOf({ org, principal }: Call): Caller {
  return { org, actor: principal.id };
}

export function siteOf({ publicUrl }: Settings, { org }: Caller): Site {
  return { publicUrl, org: org.name };
}
