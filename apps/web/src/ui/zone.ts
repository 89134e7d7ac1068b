import type { Zone } from './format';
import { storedChoice } from './stored-choice';

const zone = storedChoice<Zone>('assurance-zone', ['local', 'utc']);

/** The zone in which the reader wants to see times. */
export const useZone = (): Zone => zone.use();
export const chooseZone = zone.choose;
