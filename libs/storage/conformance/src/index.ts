export * from './documents';
export * from './event-store';
export * from './harness';
