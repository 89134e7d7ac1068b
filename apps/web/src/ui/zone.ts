import type { Zone } from './format';
import { stored } from './stored';

const zone = stored<Zone>('assurance-zone', ['local', 'utc']);

/** In which zone the reader wants times. */
export const useZone = (): Zone => zone.use();
export const chooseZone = zone.choose;
