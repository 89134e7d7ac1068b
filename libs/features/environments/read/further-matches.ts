import type { ViewAnswer } from '@assurance/event-sourcing/projection/views';
import type { Matcher, Matches } from '@assurance/flows/lookups/matcher';
import type { Caller } from '@assurance/http/query-caller';

/** Ports that the features `components` and `vulnerabilities` provide: `@Inject(COMPONENT_MATCHES) components: FurtherMatches`. */
export const COMPONENT_MATCHES = Symbol('component-matches');
export const VULNERABILITY_MATCHES = Symbol('vulnerability-matches');

export interface FurtherMatches {
  /** What has the text of a search. */
  of(caller: Caller, matcher: Matcher): Promise<ViewAnswer<Matches>>;
}
