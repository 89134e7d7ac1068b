export { EVIDENCE_MAX, type Evidence, evidenceOf, readEvidence } from './evidence';
export { statusesOf } from './statuses';
export { templatesOf } from './templates';
export { judgeable } from './judgeable';
