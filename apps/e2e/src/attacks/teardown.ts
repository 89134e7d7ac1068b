import { stopEngines } from '@assurance/testing-engines/run';

/** After the last spec of Jest's project `attacks`. */
export = stopEngines;
