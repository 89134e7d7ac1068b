export * from './conformance';
export * from './deciders';
export * from './loose';
