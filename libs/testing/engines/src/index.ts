export * from './kafka';
export * from './mongodb';
export { localServer } from './local-server';
export type { RunningServer } from './running';
