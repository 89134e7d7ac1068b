import type { Db, Timestamp } from 'mongodb';
import type { Persist } from './persist';

/** The replica set's time now: no change that is there comes after it, every later one does. */
export async function serverTime(db: Db, persist: Persist): Promise<Timestamp> {
  return (await persist(() => db.command({ ping: 1 }))).operationTime as Timestamp;
}
