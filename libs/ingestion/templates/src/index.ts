export * from './read-policy';
export * from './read-template';
export type { YamlErrors } from './read-yaml';
