import { stopKeepers } from './keepers';

/** After the last spec of Jest's project `node`. */
export = stopKeepers;
