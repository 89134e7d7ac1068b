import { stopEngines } from './engines';

/** After the last spec of Jest's project `engines`. */
export = stopEngines;
