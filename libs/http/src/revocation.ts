import type { Route } from '@assurance/contracts/http/route';
import type { Identity } from './identity';

/** Ends the running requests of a caller when its key, session, membership or role has ended. */
export interface RevocationWatch {
  /**
   * @param end is called at most once, within a second after the right ended
   * @returns a function to call when the request has ended
   */
  watch(identity: Identity, route: Pick<Route, 'permission' | 'lasting'>, end: () => void): () => void;
  stop(): void;
}
