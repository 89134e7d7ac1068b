export { type LogStream } from './log';
export { run } from './run';
export { type Overrides, serve, type Served } from './serve';
