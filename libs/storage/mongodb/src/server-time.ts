import type { Db, Timestamp } from 'mongodb';
import type { Persist } from './persist';

/** The current time of the replica set. All existing changes are before it, and all later ones after it. */
export async function serverTime(db: Db, persist: Persist): Promise<Timestamp> {
  return (await persist(() => db.command({ ping: 1 }))).operationTime as Timestamp;
}
