import { startEngines } from './engines';

/** Before the first spec of Jest's project `engines`. */
const globalSetup = (): Promise<void> => startEngines();

export = globalSetup;
