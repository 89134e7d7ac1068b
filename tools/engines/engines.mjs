import { stop } from './fetch.mjs';
import { kafka, securedKafka } from './kafka.mjs';
import { mongodb, securedMongodb } from './mongodb.mjs';

/** The real engines, as they run where there are no containers. */
export const ENGINES = { mongodb, kafka, 'mongodb-secured': securedMongodb, 'kafka-secured': securedKafka };

/** The engine of a name. */
export function engineOf(name) {
  if (!Object.hasOwn(ENGINES, name)) stop(`Which engine? ${Object.keys(ENGINES).join(' or ')}`);
  return ENGINES[name];
}
