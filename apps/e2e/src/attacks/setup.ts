import { startEngines } from '@assurance/testing/engines/engines';

/** Before the first spec of Jest's project `attacks`: what the `scaled` deployment runs on. */
export = startEngines;
