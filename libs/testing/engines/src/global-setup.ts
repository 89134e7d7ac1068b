import { startEngines } from './engines';

/** Before the first spec of Jest's project `engines`. */
export = startEngines;
