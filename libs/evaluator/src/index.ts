export * from './evaluator';
export * from './messages';
export type { ArtifactToJudge as ToJudge } from './judging/slice';
export { readSchema } from './read-schema';
export type { YamlErrors } from './yaml/read-yaml';
