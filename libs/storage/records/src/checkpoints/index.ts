export * from './checkpoint';
export * from './checkpointer';
export * from './covering';
export * from './keys';
export * from './redact';
export { rootBy, type Step } from './merkle';
export * from './verify-checkpoints';
