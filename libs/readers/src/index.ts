export * from './changes/changes';
export { EVIDENCE_MAX, type Evidence, evidenceOf, judgeable, readEvidence } from './evidence/evidence';
export { statusesOf } from './evidence/statuses';
export { templatesOf } from './evidence/templates';
export * from './names/actors';
export * from './names/named';
export * from './policies';
