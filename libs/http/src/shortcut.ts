import type { Route } from '@assurance/contracts/http/route';
import type { Answer } from './answer';
import type { Identity } from './identity';

/** A permitted call with a body that was read but not parsed. */
export interface UnparsedCall {
  readonly route: Route;
  readonly org: Identity['org'];
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  /** SHA-256 of the body's bytes. */
  readonly bodyDigest: string;
}

/**
 * Answers calls without parsing their body, if a body with the same bytes was accepted before. It runs after key, role,
 * size, media type and query were checked, and gives the answer that the controller would give.
 */
export interface Shortcut {
  readonly routes: readonly Route[];
  /** @returns null if the controller must answer */
  answer(call: UnparsedCall): Promise<Answer | null>;
}
