export { type LogStream } from './log';
export { operate } from './operate';
export { LAME_DUCK_MS, run } from './run';
export { type Overrides, serve, type RunningRoles as Served } from './serve';
