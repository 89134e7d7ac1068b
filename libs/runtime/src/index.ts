export { type LogStream } from './log';
export { operate } from './operate';
export { run } from './run';
export { type Overrides, serve, type Served } from './serve';
