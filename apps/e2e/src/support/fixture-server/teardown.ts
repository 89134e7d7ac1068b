import { stopFixtureServers } from './fixture-servers';

/** After the last spec of Jest's project `node`. */
export = stopFixtureServers;
