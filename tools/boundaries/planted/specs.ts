// lies in libs/ingestion/domain/src as planted.spec.ts
export * from '@assurance/testing-suites';
export * from 'fast-check';
export * from '@assurance/storage-ports'; // refused: enforce-module-boundaries "type:domain" can only depend on
