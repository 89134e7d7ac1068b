export * from './delivery';
export * from './followed';
export * from './health';
export { listening, SCHEMAS_WITHOUT_LISTENING, STILL } from './listening';
export * from './message';
export * from './notification';
export * from './secret';
export * from './signing';
export * from './target-config';
