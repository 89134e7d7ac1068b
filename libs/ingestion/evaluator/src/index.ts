export * from './evaluator';
export * from './messages';
export { SCHEMA_BYTES_MAX, SCHEMA_DEPTH_MAX } from './read-schema';
export { readSchema } from './read-schema';
