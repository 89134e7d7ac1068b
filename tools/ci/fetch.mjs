// Installs what CI's later steps need: the engines, and the release before this one, which a drill runs. Each is made once, in `.cache`.
//   node tools/ci/fetch.mjs
import { previousApps } from '../drills/stage/previous.mjs';
import { engineOf } from '../engines/engines.mjs';

for (const name of ['mongodb', 'kafka', 's3']) console.log(engineOf(name).install());
console.log(previousApps());
