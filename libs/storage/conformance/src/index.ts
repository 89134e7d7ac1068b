export * from './blobs';
export * from './documents';
export * from './event-store';
export * from './feed';
export * from './harness';
