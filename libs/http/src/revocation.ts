import type { Route } from '@assurance/contracts/http/route';
import type { Identity } from './identity';

/** Ends what is under way for callers who may not go on: their key, session, membership or role ended meanwhile. */
export interface RevocationWatch {
  /**
   * @param end is called at most once, within a second after the right ended
   * @returns to be called when nothing is under way any more
   */
  watch(identity: Identity, route: Pick<Route, 'permission' | 'lasting'>, end: () => void): () => void;
  stop(): void;
}
