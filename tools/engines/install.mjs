// Fetches a real engine into `.cache/engines` and prints where it is; progress goes to standard error.
//   node tools/engines/install.mjs mongodb|kafka|s3
// Once fetched nothing is asked of the network.
import { engineOf } from './engines.mjs';

console.log(engineOf(process.argv[2]).install());
