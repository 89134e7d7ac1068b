// Installs a real engine in `.cache/engines` and prints its path. Progress goes to standard error.
//   node tools/engines/install.ts mongodb|kafka|s3
// An installed engine needs no network.
import { engineOf } from './engines.ts';

console.log(engineOf(process.argv[2]).install());
