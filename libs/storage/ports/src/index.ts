export * from './blobs';
export * from './commit';
export * from './documents';
export * from './engines';
export * from './errors';
export * from './event-store';
export * from './feed';
export * from './trace';
