import { startEngines } from '@assurance/testing-engines/run';

/** Before the first spec of Jest's project `attacks`: what the `scaled` deployment runs on. */
export = startEngines;
