import { stop } from './fetch.mjs';
import { kafka } from './kafka.mjs';
import { mongodb } from './mongodb.mjs';

/** The real engines, as they run where there are no containers. */
export const ENGINES = { mongodb, kafka };

/** The engine of a name. */
export function engineOf(name) {
  if (!Object.hasOwn(ENGINES, name)) stop(`Which engine? ${Object.keys(ENGINES).join(' or ')}`);
  return ENGINES[name];
}
