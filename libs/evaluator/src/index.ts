export * from './evaluator';
export * from './messages';
export { readSchema } from './read-schema';
export type { YamlErrors } from './yaml/read-yaml';
