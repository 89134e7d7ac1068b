import { stopEngines } from '@assurance/testing/engines/engines';

/** After the last spec of Jest's project `attacks`. */
export = stopEngines;
