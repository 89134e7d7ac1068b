export * from './evaluator';
export * from './messages';
export { readSchema } from './read-schema';
