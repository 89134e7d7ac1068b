// Installs what CI's later steps need: the engines, and the release before this one, whose folder of apps is the last line. Each is made once, in .cache.
//   node tools/ci/fetch.ts
import { previousApps } from '../common/checked-out.ts';
import { engineOf } from '../engines/engines.ts';

for (const name of ['mongodb', 'kafka', 's3']) console.log(engineOf(name).install());
console.log(previousApps());
