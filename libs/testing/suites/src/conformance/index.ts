export * from './blobs';
export * from './checkpoints';
export * from './documents';
export * from './event-store';
export * from './feed';
export * from './harness';
