export * from './checkpoint';
export * from './checkpointer';
export * from './covering';
export * from './keys';
export { rootBy, type Step } from './merkle';
export * from './verify-checkpoints';
