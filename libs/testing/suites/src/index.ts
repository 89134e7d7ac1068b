export * from './conformance';
export * from './deciders';
export * from './loose';
export * from './public-events';
export * from './recorded';
