export * from './evaluator';
export * from './messages';
export type { ArtifactToJudge as ToJudge } from './judging/slice';
export { BEGINNING_BYTES, mayHoldReport, SCAN_BYTES_MAX } from './scan/attached';
export { readSchema } from './read-schema';
export type { YamlErrors } from './yaml/read-yaml';
