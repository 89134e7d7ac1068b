export * from './attestation';
export * from './compliance';
export * from './flow';
export * from './provenance';
export { type AttestationStatus, type TrailState } from './requirements';
export * from './trail';
